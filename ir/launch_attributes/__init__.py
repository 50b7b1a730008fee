"""The `triton.*` attributes: `table` lists them, `values` reads and checks them.

Imports `ir/dialects` and `ir/text`.
"""
