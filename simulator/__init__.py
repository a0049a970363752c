"""The world in a box: a RunPod account, its pods and a Slack workspace. Shares nothing with the code it tests."""
