"""The client's commands, one module each: what its words mean, and what is done with them."""
