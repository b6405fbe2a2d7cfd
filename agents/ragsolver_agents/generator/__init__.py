"""Generator: sketches the next attempt."""
