"""Writing Python source: safe text, unique names, line layout, helper functions."""
