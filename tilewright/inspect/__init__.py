"""Looking at a run between its steps.

- `dumps`, `diffs`, `timings`, `stepping`: `--dump`, `--diff`, `--time`, `--stop-after`.
- `passes`: the same for the passes of code generation.
- `verify_each`, `verify_rounding`: whether each step keeps the numbers.

Reads `pipeline.py` and what is below it. No module here runs code generation: it is
told of its passes.
"""
