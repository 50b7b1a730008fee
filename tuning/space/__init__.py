"""The search space of a schedule: its choices, constraints and valid points.

Reads `transforms/` and `ir/`, and nothing else of `tuning/`.
"""
