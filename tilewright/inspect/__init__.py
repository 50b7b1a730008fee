"""Observers of a run: they look at the IR between its steps.

- `dumps`, `timings`, `stepping`: `--dump`, `--time`, `--stop-after`.
- `passes`: the same for the passes of code generation.
- `verify_each`, `verify_rounding`: whether each step keeps the results.

Imports `pipeline.py` and the layers below it. No module here runs code generation;
code generation calls the observers after its passes.
"""
