"""Results: the records of trials, the results file (SQLite), the result of a run.

Reads only `space/` and the statistics of `codegen/runtime/compile.py`.
"""
