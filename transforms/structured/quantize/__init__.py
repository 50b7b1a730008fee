"""Compute products of floats in fp8 or int8, and bound the rounding error.

Imports `core/`.
"""
