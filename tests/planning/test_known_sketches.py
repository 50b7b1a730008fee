"""Equal groups are estimated once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload
from tilewright.pipeline import parse_payload
from tilewright.planning import known_sketches
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.grouping import group_ops
from tilewright.planning.known_sketches import KnownSketches
from tilewright.planning.writing.names import is_taken


def test_equal_groups_are_estimated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    payload = Payload("sums")
    for name in "xy":
        payload.output((payload.input(name, (64, 128), "f32") + 1.0).sum(-1))
    target = target_named("h200")
    analysis = analyse(parse_payload(payload.text()), is_taken, None)
    found = group_ops(analysis, target, lambda group: float(len(group.sinks)))
    first, second = found.groups
    made: list[object] = []
    sketches = known_sketches.fused_sketches

    def counted(*given: object) -> object:
        made.append(given)
        return sketches(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(known_sketches, "fused_sketches", counted)
    known = KnownSketches(analysis, target)
    assert known.seconds(first) == known.seconds(second)
    assert len(made) == 1
    known.seconds(replace(first, leaving=set(first.ops)))
    assert len(made) == 2
