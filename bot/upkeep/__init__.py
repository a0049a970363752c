"""Commands for whoever has the machine: one pass of a job, the database, the trail."""
