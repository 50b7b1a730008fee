"""The text of a planned schedule. Reads `grouping/` and `analysis/`."""
