"""Transformations of structured ops (`transform.structured.*`).

Tile, fuse, pad, quantize, rewrite to other ops, vectorize: a folder for each. Imports
`loop/`, `cleanup/` and `core/`.
"""
