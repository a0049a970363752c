"""Messages on their way out: rows become messages in Slack, each once, in the words of the present."""
