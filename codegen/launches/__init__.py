"""The launch plan: a program's launcher as plain data, and that data as Python text.

- `plan`: sizes, buffers, steps (allocations, views, launches, library calls) and
  results. It pickles, and nothing in it refers to the IR.
- `launcher_text`: the launcher's source. `size_checks`: which sizes it refuses.

`codegen/emit/launch_plan.py` makes a plan of a module at the kernel level. The source
file, the lean launcher, profiler ranges and artefacts are made from the plan.
"""
