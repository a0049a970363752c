"""A provision from wish to ready: stages, deadlines, outcomes, and the one pure function that decides."""
