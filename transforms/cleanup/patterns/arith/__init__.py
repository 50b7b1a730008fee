"""Patterns on arith ops."""
