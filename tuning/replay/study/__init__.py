"""The study of tuning cost: what a published study asks, answered by a recording.

`recording` reads what `benchmarks/tuning_cost/record.py` wrote; `simulated_runs` tunes
on it at random as the published study does; `published` has the figures that were
published, and `report` answers with plain data.
"""
