"""Loops whose elements lie apart in memory do not run as one."""

from __future__ import annotations

from tilewright.codegen.targets import target_named
from tilewright.frontend.builder import Payload, concatenate
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan


def planned(payload: Payload) -> str:
    return plan(parse_payload(payload.text()), target_named("h200")).text


def test_a_part_is_computed_row_by_row() -> None:
    payload = Payload("part")
    x = payload.input("x", [16, 32, 64], "f32")
    y = payload.input("y", [16, 8, 64], "f32")
    payload.output(concatenate([x * 2.0, y + 1.0], 1))
    assert planned(payload).count("by [1, 2]") == 2


def test_a_slice_is_read_row_by_row() -> None:
    payload = Payload("slice")
    x = payload.input("x", [16, 32, 64], "f32")
    payload.output(x[:, 0:8] * 2.0)
    assert "by [1, 2]" in planned(payload)
    payload = Payload("whole")
    x = payload.input("x", [16, 32, 64], "f32")
    payload.output(x[0:8] * 2.0)
    assert "by [1, 2]" not in planned(payload)


def test_a_selected_column_is_read_row_by_row() -> None:
    payload = Payload("column")
    x = payload.input("x", [16, 32, 2], "f32")
    payload.output(x[:, :16, 0:1].reshape(16, 16).sum([0, 1]))
    assert "collapse" not in planned(payload)
    payload = Payload("all")
    x = payload.input("x", [16, 32], "f32")
    payload.output(x.reshape(4, 4, 32).sum([0, 1, 2]))
    assert "collapse" in planned(payload)
