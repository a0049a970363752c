"""The workspace driven over HTTP, for other processes and for a page."""
