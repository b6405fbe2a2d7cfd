"""What is said: events, value objects, ids, subjects and the fold."""
