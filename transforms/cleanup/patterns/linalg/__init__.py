"""Patterns on linalg ops."""
