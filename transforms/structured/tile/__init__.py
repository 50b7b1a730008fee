"""Cut structured ops into tiles, and reductions into parts. Imports `core/`."""
