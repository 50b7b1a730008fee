"""Transformations of loops (`transform.loop.*`): unroll, peel, fuse, pipeline, outline.

`shared/` is what several of them need. Imports `cleanup/` and `core/`.
"""
