"""The parts that a kernel is built from.

- `kernel_builder`: a kernel under construction, made of `builder` (ops and scopes),
  `accesses` (addresses and masks) and `parameters`.
- `axes`, `named_sizes`: the sizes that the source calls `M` or `BLOCK_M`.
- `launch_axes`, `cache_hints`, `size_requirements`, `scalars`, `combiners`: limits of
  Triton and of the hardware on launches and ops, and refusals beyond them.
- `modules`, `dead_code`: a module at kernel level, for passes.

Imports `codegen/analysis/`, `codegen/refusal.py` and `ir/`. `codegen/lower/` and
`codegen/passes/` build kernels with it.
"""
