"""What processes on the bus tell about themselves: numbers, spans, health."""
