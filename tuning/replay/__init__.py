"""Replay: a strategy against a space whose results are known, without a GPU.

`recorded_space` is the file of results (`listed_space`: one without a schedule),
`recording` makes one from a results file, `tuning_cost` reads a recording of the study
of tuning cost, and `sources` any of them. `recorded_guide` reads the recorded
estimates, `machine` counts seconds as a run would spend them, `measuring` draws
launches. `replay` runs a strategy and gives its `trace`; `comparison` has the mean and
spread of settings over seeds.

Imports `search/`, `results/`, `learning/` and `space/`; starts no processes.
"""
