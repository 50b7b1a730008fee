"""Patterns on vector ops."""
