"""The description of a generated program: its arguments, and the work it does.

Reads the kernel level and `codegen/analysis/`.
"""
