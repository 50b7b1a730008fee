"""Search: strategies that propose points, their seeds, and the feedback they get.

Reads `space/`, `model/` and `results/`; starts no processes.
"""
