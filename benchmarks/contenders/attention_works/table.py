"""All works in the order of the groups of the table; a name is unique."""

from __future__ import annotations

from contenders.attention_works import attention, decoding, long_rows
from contenders.attention_works.work import StreamWork


def table() -> list[StreamWork]:
    """Every work."""
    return [*attention.table(), *decoding.table(), *long_rows.table()]


def tiny_table() -> list[StreamWork]:
    """Small works for a run without a GPU."""
    return [*attention.tiny(), *decoding.tiny(), *long_rows.tiny()]
