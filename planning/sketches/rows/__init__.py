"""Kernels that reduce rows: whole rows, persistent programs, loops over a row.

`family.py` answers with the sketches that fit a group. Reads `base.py`, `model/`,
`writing/`, `grouping/` and `analysis/`.
"""
