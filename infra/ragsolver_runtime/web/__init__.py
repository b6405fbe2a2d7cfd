"""The web page: a read-only server over the bus, and the page that it serves."""
