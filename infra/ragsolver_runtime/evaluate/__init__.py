"""Comparing run configurations: from the traces of their runs to tables and plots."""
