"""What the bot can do, told by the bot."""
