"""Looking: which pods there are, how to connect to one, what can be rented."""
