"""The cost model: estimates of a program's time and occupancy, without a GPU.

Reads only `codegen/` and `averages.py`.
"""
