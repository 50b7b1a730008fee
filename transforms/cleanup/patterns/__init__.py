"""Rewrite patterns, and the named groups that `apply_patterns` can ask for."""
