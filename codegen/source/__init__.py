"""Writing Python source: safe text, unique names, line layout, helper functions.

Knows nothing of kernels. Reads of `ir/` only how names and control characters are
printed.
"""
