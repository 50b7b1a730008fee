"""The parts that a kernel is built from.

- `kernel_builder`: a kernel under construction, made of `builder` (ops and scopes),
  `accesses` (addresses and masks) and `parameters`.
- `axes`, `named_sizes`: the sizes that the source calls `M` or `BLOCK_M`.
- `launch_axes`, `cache_hints`, `size_requirements`, `scalars`, `combiners`: what a
  launch and its ops may be.
- `modules`, `dead_code`: a module at kernel level, for passes.

Reads `codegen/analysis/`. `codegen/lower/` and `codegen/passes/` build with it.
"""
