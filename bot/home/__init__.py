"""The Home tab: a person's pods, questions and agents; for admins the fleet and the clocks."""
