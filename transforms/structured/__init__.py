"""Transformations of structured ops (`transform.structured.*`).

Tile, fuse, stream, pad, quantize, rewrite to other ops, give destinations, vectorize: a
folder for each. Imports `loop/`, `cleanup/` and `core/`.
"""
