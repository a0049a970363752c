"""`python -m bot` is `podkeeper`."""

from bot.cli import main

main()
