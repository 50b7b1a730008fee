"""Replay: a strategy against a space whose results are known, without a GPU.

`recorded_space` is the file of results, `recording` makes one from a results file,
`guide` reads the recorded estimates, `simulation` counts seconds as a run would spend
them, `replay` runs a strategy and gives its trace.

Imports `search/`, `results/`, `model/` and `space/`; starts no processes.
"""
