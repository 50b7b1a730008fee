"""Patterns on buffers."""
