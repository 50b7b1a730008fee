"""Predicates on payload (`transform.match.*`).

Imports `control/`, `handles/` and `core/`.
"""
