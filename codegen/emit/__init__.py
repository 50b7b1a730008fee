"""Kernel level to Triton source.

- `program`: the file; `kernel`: the statements of a kernel; `launcher`: the function
  that launches kernels, with its `sizes` and `constants`.
- `variables`, `lines`, `source_lines`: which values get a variable, and line layout.
- `table`: each pure op and its expression, from `tiles`, `arithmetic`, `integers` and
  `functions`; `written` has the building blocks of expressions.

Imports `codegen/kernel/`, `codegen/analysis/`, `codegen/source/` and `ir/`.
"""
