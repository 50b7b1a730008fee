"""Kernel level to Triton source: kernels, the launcher, and the file with both."""
