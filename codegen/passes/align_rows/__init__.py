"""The pass `align-rows`: `split` a row, then its `edges` and its `middle`.

Imports `codegen/kernel/` and `ir/`.
"""
