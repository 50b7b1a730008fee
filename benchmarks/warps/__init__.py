"""Kernels whose warps have roles, beside torch, cuDNN and cuBLAS.

work     the form of a work
byte_works, gradient_works  elements of a byte; what training needs of attention
works    what is computed, our points, torch's functions
child    one work in a process: compile, check, time interleaved
watch    a process that may hang: a limit for each step, and another try without it
command  the command line
"""
