"""Patterns that lower vector ops to smaller ones: the `vector.lower_*` groups.

steps              builds the ops that take the place of one op
contractions       contract and outerproduct
reductions         multi_reduction
scans              scan
shapes             transpose, broadcast, shape_cast
unrolling          one-dimensional parts of bitcast, interleave, gather, elements
masks              create_mask and constant_mask
to_scf             transfers as loops over parts, and over elements
transfer_split     transfers in bounds, and copies of partial vectors
"""
