"""The payload of a segment of torch as the planner prepares it."""

from __future__ import annotations

from typing import Any

from tilewright.ir.text import to_text
from tilewright.planning.preparation import prepare


def prepared_text(segment: Any) -> str:
    """The text of what the planner makes of a segment's payload first."""
    return to_text(prepare(segment.lowered.payload.module).payload)
