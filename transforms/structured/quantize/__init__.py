"""Products of floats on narrow number formats."""
