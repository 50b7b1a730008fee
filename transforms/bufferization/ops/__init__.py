"""How each op bufferizes, one file for each family of ops."""
