"""The static check: what is wrong with a schedule before it runs."""
