"""What is believed: the Lean worker, the only one that may issue a verdict."""
