"""Writing to the terminal, and how a command ends."""
