"""The tree of a schedule to transform IR. Reads `verbs/` and `syntax.py`."""
