"""Upstream's linalg ops that are not supported yet, so that errors can say so."""

from __future__ import annotations

NOT_YET = frozenset(
    f"linalg.{name}"
    for name in (
        "winograd_filter_transform winograd_input_transform winograd_output_transform"
    ).split()
)
