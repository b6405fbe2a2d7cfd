"""How it travels: server, bus, dispatch, trace, command line."""
