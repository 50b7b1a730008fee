"""Ops on symbolic tensors, a file a kind: element-wise, views, products, reductions."""
