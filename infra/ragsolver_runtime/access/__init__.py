"""Who may do what on a bus with users: the declared table, its server file, its credentials."""
