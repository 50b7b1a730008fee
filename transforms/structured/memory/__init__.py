"""Where the operands of structured ops live: promotion to buffers of their own.

Imports `cleanup/`, `core/` and `ir/`.
"""
