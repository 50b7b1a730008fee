"""Passes over the buffer level, before grids become kernels. They copy the module."""
