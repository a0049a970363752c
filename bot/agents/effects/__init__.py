"""What each type of event does, and nothing else: functions of one call, inside its transaction."""
