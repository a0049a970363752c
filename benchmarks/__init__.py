"""What `make bench` measures: one line per figure, the compared run beside it."""
