"""Sketches of a group are made once, and again when the group has changed."""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.grouping import group_ops
from tilewright.planning.known_sketches import KnownSketches
from tilewright.planning.writing.names import is_taken


def test_a_group_that_changes_has_other_sketches() -> None:
    payload = Payload("sums")
    x = payload.input("x", (64, 128), "f32")
    payload.output((x + 1.0).sum(-1))
    target = target_named("h200")
    analysis = analyse(parse_payload(payload.text()), is_taken, None)
    known = KnownSketches(analysis, target)
    (group,) = group_ops(analysis, target, known.has_one, known.seconds).groups
    first = known.of(group)
    assert first and known.of(group) is first
    assert known.of(replace(group)) is not first  # a sketch is of one group
    assert known.has_one(replace(group))
    group.leaving |= set(group.ops)
    assert known.of(group) is not first
