"""Transfers as transfers of lower rank, and rows as loops over elements.

rows        the patterns: unrolled parts, and loops over the elements of a row
in_memory   loops over parts, with the vector in memory
parts       one part of a transfer: its place, its mask, its bounds

Imports `vector_lowering.steps`, `patterns.vector` and what is below them.
"""
