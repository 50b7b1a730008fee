"""The tree of a schedule to transform IR."""
