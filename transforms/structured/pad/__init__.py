"""Padding operands to whole tiles."""
