"""Reading what a command was given: files, sizes, arguments."""
