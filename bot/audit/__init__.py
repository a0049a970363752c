"""What needs somebody, and the whole reasoning about one pod."""
