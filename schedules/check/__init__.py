"""The static check: what is wrong with a schedule before it runs.

`check.py` runs the checks of the other files. Reads transform IR, and of `language/`
only the names of verbs.
"""
