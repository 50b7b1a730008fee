"""Buffer level to kernel level: each grid becomes a kernel, the rest the launcher.

- `function`: the launcher, with `host_sizes` and `program_names`.
- `kernel`: one grid. `grid_facts` is the analysis of the grid; `tile_numbers` computes
  the tile of a program; `merged_grid` lowers a second grid of the same launch.
- `ops`: the table of ops inside a grid. Each lowering (`transfers`, `contract`,
  `shapes`, `arith`, `loops`, `branches`, `index_tiles`) is a function of an op and of
  the values that it reads or changes; `values` maps payload values to kernel values.

Imports `codegen/analysis/`, `codegen/kernel/` and `ir/`. It does not call passes.
"""
