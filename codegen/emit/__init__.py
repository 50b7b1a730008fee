"""Kernel level to Triton source.

- `program`: the file; `kernel`: the statements of a kernel; `launch_plan`: what the
  launcher does, with its `sizes`, `library_calls` and `constants`.
- `variables`, `lines`, `source_lines`: which values get a variable, and line layout.
- `expressions/`: each pure op and its expression.

Imports `codegen/{kernel,analysis,launches,source}` and `ir/`.
"""
