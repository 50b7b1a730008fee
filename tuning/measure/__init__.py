"""Checking and timing candidates in worker processes."""
