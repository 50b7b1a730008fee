"""Kernels that stream a chain of reductions in one loop, such as attention.

`family.py` answers with the sketches that fit a group. Reads `base.py`, `model/`,
`writing/`, `grouping/` and `analysis/`.
"""
