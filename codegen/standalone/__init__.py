"""A generated program as a file that launches, checks and times itself."""
