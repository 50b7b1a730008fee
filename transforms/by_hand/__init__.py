"""Ops that put payload in place as the script says: `structured.replace`, `func.*`.

They trust the script: it must know that the program still means the same.
"""
