"""Rivals: hand-written Triton kernels, torch and the modes of torch.compile."""
