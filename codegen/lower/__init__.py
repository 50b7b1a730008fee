"""Buffer level to kernel level: each grid becomes a kernel, the rest the launcher.

- `function`: the launcher, with `host_sizes` and `program_names`.
- `kernel`: one grid. `grid_facts` is the analysis of the grid; `tile_numbers` computes
  the tile of a program; `merged_grid` lowers a second grid of the same launch.
- `ops/`: the ops inside a grid; `values` maps payload values to kernel values.

Imports `codegen/analysis/`, `codegen/kernel/` and `ir/`. It does not call passes.
"""
