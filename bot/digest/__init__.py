"""The daily message about money, and the lists of what nobody answers for."""
