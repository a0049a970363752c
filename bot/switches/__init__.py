"""What admins allow and forbid: arming a job, pausing everything."""
