"""Matmuls and convolutions that a vendor's library computes, with their tails.

`family.py` answers with the sketches that fit a group; `calls.py` finds the calls.
Reads `base.py`, `elementwise.py`, `model/`, `writing/`, `grouping/` and `analysis/`.
"""
