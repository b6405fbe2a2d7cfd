"""The command line `ragsolver`."""
