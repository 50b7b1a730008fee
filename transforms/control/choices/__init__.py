"""What a schedule leaves open: knobs, alternatives, and constraints on them.

Imports `core/`, `handles/` and, of `control/`, sequences.
"""
