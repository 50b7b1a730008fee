"""Timing that can be trusted: interleaved rounds, checked results, one record a run.

Imports nothing of `contenders/` but what `compile_ahead.py` compiles.
"""
