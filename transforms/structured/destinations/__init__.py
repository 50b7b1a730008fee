"""The tensor that an op writes into: one is given, or a scratch tensor is left out.

Imports `core/`.
"""
