"""The description of a generated program: its arguments, its results, its work.

Reads the module that `codegen/lower/` has made; the cost model and reports read this.
"""
