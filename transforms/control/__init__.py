"""Ops that run other ops, and ops that only look: sequences, branches, remarks."""
