"""Kernels with matmuls: tiles, split sums, sums by lanes, whole rows.

`family.py` answers with the sketches that fit a group. Reads `base.py`, `model/`,
`writing/`, `grouping/` and `analysis/`.
"""
