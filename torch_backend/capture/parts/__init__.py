"""Tensors that are parts of others: slices, concats, pads, stacks."""
