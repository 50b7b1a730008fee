"""Fuse a chain of reductions along one dimension into a single loop.

    stream, split_stream   the transform ops: one loop, and parallel chunks
    targets                what they share: targets, a size, their syntax
    derivable              whether a chain can be streamed, for those who plan
    analysis/              the chain, and a correction for each reduction
    algebra/               scalar expressions and the rules of correction
    writing/               the ops that take the chain's place
    row_ops                element-wise ops on running values
    record                 what a step tells those who compare numbers

Imports `core/`, `tile/`, `new_ops` and `targets`.
"""
