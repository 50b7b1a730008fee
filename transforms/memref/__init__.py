"""The ops of `transform.memref`: allocations and the accesses to them.

A file an op. Imports `cleanup/`, `core/` and `ir/`.
"""
