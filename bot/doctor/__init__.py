"""Whether everything is as it must be, check by check, each with a sentence that names the setting."""
