"""Passes: functions from module to module, which `codegen/generate.py` lists in order.

- Over the buffer level: `widen_small_floats`, `forward_copies`, `vectorize_copies`,
  `compute_in_place`, `slice_after_reshape`. They copy the module before they change it.
- Over the kernel level: `count_arrivals`, `store_parts`, `align_rows`,
  `loop_over_tiles`, `simplify`, `drop_unread`, and on the launcher `share_memory`,
  `order_streams`. They change the module that lowering has made.

Reads `codegen/kernel/` and `codegen/analysis/`. Passes do not import each other.
"""
