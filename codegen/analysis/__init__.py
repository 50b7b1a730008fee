"""Facts about the buffer level that code generation needs; nothing here changes IR.

- `elements/`: the elements that an access touches.
- `hazards`, `descriptors`, `merged_grids`, `unused_attributes`: what Triton cannot do,
  or what would have no effect, is refused.
- `spare_elements`: what a store may write because nothing reads it.
- `libraries/`: the structured ops that a library computes.
- `launch_effects`: the memory that the ops of a launcher read and write.

Reads `ir/` and `codegen/refusal.py`.
"""
