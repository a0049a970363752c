"""The daily message about money: once on each weekday, however many run."""
