"""Calls that become fewer or better ones, a pattern a file.

`../rewrites.py` has the order of most; `decompositions.py` and `backend.py` use the
others.
"""
