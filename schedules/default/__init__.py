"""The default: it finishes what a schedule leaves open, by ordinary transform ops.

Reads `library/` and, of `language/`, the names of verbs.
"""
