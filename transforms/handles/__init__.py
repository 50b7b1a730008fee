"""Ops that make handles and parameters out of others, leaving payload alone."""
