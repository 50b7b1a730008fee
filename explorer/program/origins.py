"""From a line of generated code back to the schedule and the payload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.codegen.emit.program import Origin
from tilewright.explorer.program.places import Files
from tilewright.ir.errors import Place

Origins = list[list[Any] | None]


def source_origins(
    origins: Mapping[int, Origin], lines: int, payload: str, files: Files
) -> Origins:
    """For each line of the source `[schedule place, payload place]`, or None."""
    return [_origin(origins.get(line), payload, files) for line in range(lines)]


def _origin(origin: Origin | None, payload: str, files: Files) -> list[Any] | None:
    if origin is None:
        return None
    own, around = origin.own, origin.around
    if own == around:  # a line of the loop itself
        own = None
    schedule, computed = around, own
    if own is not None and own.file != payload:
        schedule, computed = own, None
    if computed is None and _is_in(schedule, payload):
        # A grid of the default has the place of the op that it computes.
        schedule, computed = None, schedule
    found = [files.place(schedule), files.place(computed)]
    return found if any(found) else None


def _is_in(place: Place | None, file: str) -> bool:
    return place is not None and place.file == file
