"""The command line client of the service: signs, asks, tells what happens, and exits with an honest code."""
