"""Kernel level to Triton source.

- `program`: the file; `kernel`: the statements of a kernel; `launcher`: the function
  that launches kernels, with its `sizes` and `constants`.
- `variables`, `lines`, `source_lines`: which values get a variable, and line layout.
- `expressions/`: each pure op and its expression.

Imports `codegen/kernel/`, `codegen/analysis/`, `codegen/source/` and `ir/`.
"""
