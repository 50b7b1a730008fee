"""The ops of `transform.memref`: allocations and the accesses to them.

`make_loop_independent.py` has the op on tensors too.

A file an op. Imports `cleanup/`, `core/` and `ir/`.
"""
