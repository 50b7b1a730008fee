"""Fuse a chain of reductions along one dimension into a single loop.

    derivable              whether a chain can be streamed, for those who plan
    stream, split_stream   the transform ops: one loop, and parallel chunks
    step, tiles            one tile of the loop
    chunks                 all chunks at once
    derive, algebra/       a correction for each reduction, from its scalar body
    checks, limits         running values are numbers where corrections read them
    chain, find_chain      the ops along the dimension, and how they are found
    elements, dependences  what these ops compute, and what they may read
    running, row_ops       ops on running values
    edits, extremes        running values in the bodies of tiles and chunks
    record                 what a step tells those who compare numbers
    targets, replacing     before and after: the targets, the results

Imports `core/`, `tile/`, `new_ops` and `targets`.
"""
