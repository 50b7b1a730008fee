"""Results: the records of trials, the results file (SQLite), the result of a run.

`database` opens a file and looks results up, `run_log` writes the trials of a run, and
`reader` is what other parts read runs, trials and samples by. `shared_store` is a table
of runs in a database that a team shares.
Reads only `space/` and the statistics of `codegen/runtime/compile.py`.
"""
