"""The works of `planned.py`, a file a family: what is computed, by a payload and torch.

`work.py` has the form of a work, `table.py` collects all. Imports tilewright and torch.
"""
