"""Patterns on loops and branches."""
