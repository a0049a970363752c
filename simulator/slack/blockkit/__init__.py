"""Block Kit: what Slack accepts, and the sentences with which it refuses the rest."""
