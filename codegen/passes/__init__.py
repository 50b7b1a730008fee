"""Passes: functions from module to module, which `codegen/generate.py` lists in order.

- `buffers/`: over the buffer level. They copy the module before they change it.
- Here: over the kernel level, and over the launcher (`share_memory`, `order_streams`).
  They change the module that lowering has made.

Reads `codegen/kernel/` and `codegen/analysis/`. Passes do not import each other.
"""
