"""Fuse a chain of reductions along one dimension into a single loop.

    expressions  scalar expressions: what a reduction adds up, in terms of leaves
    chain        the ops along the dimension: streamed ones, reductions, what is between
    rules        how an accumulator is corrected when a running value changes
    polynomials  the rule for sums of powers of differences
    corrections  the ops that carry a correction out
    tiles        the ops of the chain on one tile

Imports `core/`, `tile/` and `new_ops`.
"""
