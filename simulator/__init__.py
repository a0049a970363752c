"""The world in a box: a RunPod account and a Slack workspace. Shares nothing with the code it tests."""
