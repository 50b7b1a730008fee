"""What several loop transformations share: bounds, bodies, memory accesses, targets.

Imports `cleanup/` and `core/`.
"""
