"""The command-line tools."""
