"""Kernels whose warps have roles, as Gluon (`triton.experimental.gluon`).

language    the names of Gluon that files use, and the versions that have them
layouts     layouts of registers as Python
partition   one partition: a function
kernel      the kernel around the partitions
"""
