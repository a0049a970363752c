"""What people read of ends and stops: that one is coming, and what came of it."""
