"""What the jobs have to tell by themselves, in words: to the ops channel, to owners, to admins."""
