"""Rewrites of tensors that are made of parts: assigned, scattered, framed, stacked."""
