"""Writing Python source: safe text, unique names, line layout, helper functions.

It does not depend on kernels. Imports of `ir/` only the modules that print names and
control characters.
"""
