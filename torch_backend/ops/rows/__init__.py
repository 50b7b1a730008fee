"""Ops along dimensions: reductions, normalizations, running totals."""
