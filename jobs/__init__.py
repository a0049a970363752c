"""The clocks: what happens without anybody asking."""
