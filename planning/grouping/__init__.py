"""Which ops share a kernel, decided by dependences and by cost, with reasons.

Reads `analysis/`, `ir/` and, of `codegen/`, the targets.
"""
