"""Ops that go from handle to handle: match, merge, split, annotate, parents, producers.

They only read payload. Imports `core/`.
"""
