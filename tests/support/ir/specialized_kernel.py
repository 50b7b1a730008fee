"""A small product whose warps have roles, as text that tests change."""

from __future__ import annotations

from support.paths import DATA

KERNEL = (DATA / "warps" / "product.mlir").read_text()


def changed(*changes: tuple[str, str]) -> str:
    """The kernel with the first occurrence of each text replaced by another."""
    text = KERNEL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
