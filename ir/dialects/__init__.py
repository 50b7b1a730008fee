"""Upstream ops that xDSL lacks or gets wrong, under their upstream names."""

from tilewright.ir.lazy_ops import install

install()
