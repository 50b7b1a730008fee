"""Upstream ops that xDSL lacks or gets wrong, under their upstream names."""
