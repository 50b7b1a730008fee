"""Buffer level to kernel level: each grid becomes a kernel, the rest the launcher.

- `function`: the launcher, with `program_names`. `launcher_block` has the launcher's
  ops, with `host_sizes`; `copies` and `library_call` add to it.
- `kernel`: one grid. `grid_facts` is the analysis of the grid; `tile_numbers` computes
  the tile of a program; `merged_grid` lowers a second grid of the same launch.
- `ops/`: the ops inside a grid; `values` maps payload values to kernel values.

Imports `codegen/analysis/`, `codegen/kernel/` and `ir/`. It does not call passes.
"""
