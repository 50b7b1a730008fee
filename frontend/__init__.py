"""Ways to a payload that are not MLIR text."""
