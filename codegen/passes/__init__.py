"""Passes over a module, before and after it is lowered to the kernel level."""
