"""Reading the arguments of a command: files, settings, sizes, arrays.

Reads the compiler and `terminal/`; prints nothing but warnings.
"""
