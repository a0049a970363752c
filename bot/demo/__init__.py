"""The demo: the simulated world, the real bot in a process of its own, and a guided tour."""
