"""The work of each command, in a file or folder of its name; `cli/` has the arguments.

Commands do not import each other. They read arguments through `inputs/` and print
through `terminal/`.
"""
