"""Patterns, common subexpressions, dead code and loop-invariant code.

`driver.py` applies patterns greedily, `patterns/` holds them by dialect, `groups.py`
names the groups that `apply_patterns` can ask for. Imports `core/`.
"""
