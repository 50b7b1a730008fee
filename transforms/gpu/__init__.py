"""From loops to the grid of a kernel. Imports `cleanup/` and `core/`."""
