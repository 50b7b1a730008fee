"""Ops on loops."""
