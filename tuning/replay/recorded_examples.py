"""Recorded points as examples that the learned cost model can learn from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tilewright.tuning.learning.dataset import Example, Origin
from tilewright.tuning.learning.features import ESTIMATE, VERSION
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.transfer.family import family_of

if TYPE_CHECKING:
    from tilewright.tuning.replay.recorded_space import RecordedSpace


def origin_of(recorded: RecordedSpace) -> Origin:
    """The origin of a recorded space's examples."""
    schedule = text_hash(recorded.schedule)
    return Origin(recorded.name, _family(recorded.payload), recorded.device, schedule)


def recorded_examples(recorded: RecordedSpace) -> list[Example]:
    """The points that ran and are described, one for each program."""
    origin = origin_of(recorded)
    found: dict[str, Example] = {}
    for one in recorded.points:
        described = one.description.get("version") == VERSION
        if one.milliseconds and described and one.description.get(ESTIMATE, 0.0) > 0:
            example = Example(origin, one.point, one.description, one.milliseconds)
            found.setdefault(one.program, example)
    return list(found.values())


@cache
def _family(payload: str) -> str:
    from tilewright.pipeline import parse_payload

    return family_of(parse_payload(payload)).key
