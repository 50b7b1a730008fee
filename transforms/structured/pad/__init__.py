"""Pad the operands of structured ops up to whole tiles. Imports `tile/`."""
