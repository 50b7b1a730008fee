"""Checking a schedule over a payload: the points to run, and the findings."""
