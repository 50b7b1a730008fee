"""Rivals: hand-written Triton kernels, torch and the modes of torch.compile.

Imports torch and triton, and nothing of tilewright.
"""
