"""The terminal: consoles, messages, output files, exit codes.

Text from files is printed safely here: it is never taken for markup or control
characters. Imports no command.
"""
