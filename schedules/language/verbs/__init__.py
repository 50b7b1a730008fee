"""The verbs: `table.py` lists them all, and the other files serve its entries.

Reads only `syntax.py`, and the transform ops that the verbs make.
"""
