"""What a person sees, as plain text."""
