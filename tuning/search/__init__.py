"""Search strategies, what they start from, and what they are told."""
