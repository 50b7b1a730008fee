"""The work of each command, in a file of its name; `cli/` declares the arguments.

Commands do not import each other. They read arguments through `inputs/` and print
through `terminal/`.
"""
