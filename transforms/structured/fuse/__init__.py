"""Compute producers tile by tile, inside the loop that consumes them.

Imports `tile/`.
"""
