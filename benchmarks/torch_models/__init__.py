"""Torch models of the usual kinds; `table.py` lists them in small and usual sizes.

Tests compile the small ones against eager torch, and `benchmarks/models.py` times the
usual ones. Plain torch: nothing here imports tilewright.
"""
