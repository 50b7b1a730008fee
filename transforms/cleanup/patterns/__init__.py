"""Rewrite patterns, in a file or folder for each dialect that they match.

Imports the driver and the helpers of `cleanup/`, and `core/` and `ir/`.
"""
