"""Patterns on tensor ops."""
