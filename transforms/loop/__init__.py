"""Transformations of loops (`transform.loop.*`): unroll, peel, fuse, pipeline, outline.

`masks/` trims and splits loops over masked tiles. `shared/` is what several of them
need. Imports `cleanup/` and `core/`.
"""
