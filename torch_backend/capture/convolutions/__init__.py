"""Graphs with convolutions, rewritten for the kernels that torch has for them."""
