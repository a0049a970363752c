"""Slack behind a small protocol: posting, asking who somebody is, opening what people click on."""
