"""Points may leave out the suffix of a choice that is the only one reached."""

from __future__ import annotations

from typing import Any

import pytest

import tilewright
from support.paths import EXAMPLES
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule

TEXT = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  choose kernel_1 default tiles {
    tiles {
      BM_tiles = knob [16, 32] default 16
      choose loads_tiles default pointers { pointers { } descriptors { } }
      a, grid = tile mm by [BM_tiles, 16] onto [block.y, block.x]
    }
    split {
      BM_split = knob [16, 32] default 16
      b, grid = tile mm by [BM_split, 32] onto [block.y, block.x]
    }
    none { }
  }
  BM_2 = knob [8, 16] default 8
  W = knob [1, 2] default 1
  WG = knob [1, 2] default 1
  c, other = tile fill by [BM_2, W, WG] onto [block.z, block.y, block.x]
}
"""
ONE = TEXT.replace("BM_2", "size_2")


@pytest.mark.parametrize(
    "point, full",
    [
        ({"BM": 32}, {"BM_tiles": 32}),
        ({"BM": 32, "kernel": "split"}, {"BM_split": 32, "kernel_1": "split"}),
        ({"loads": "descriptors"}, {"loads_tiles": "descriptors"}),
        ({"BM_tiles": 32, "W": 2}, {"BM_tiles": 32, "W": 2}),
    ],
)
def test_short_names(point: dict[str, Any], full: dict[str, Any]) -> None:
    schedule = Schedule.from_text(ONE)
    assert schedule.full_point(point) == full
    assert schedule.with_point(point).point == full
    assert schedule.defaults(point) == schedule.defaults(full)
    assert str(schedule.bound(point)) == str(schedule.bound(full))


@pytest.mark.parametrize(
    "text, point, message",
    [
        (TEXT, {"BM": 16}, "'BM' is short for 2 choices: BM_tiles, BM_2; give the"),
        (ONE, {"BM": 16, "kernel": "none"}, "branches that are not taken: BM_split, B"),
        (ONE, {"BM": 16, "BM_tiles": 32}, "'BM' and 'BM_tiles' are the same choice"),
        (ONE, {"B": 16}, "the schedule has no choice 'B'"),
        (ONE, {"BM": 17}, "knob 'BM_tiles' cannot be 17"),
    ],
)
def test_refusals(text: str, point: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Schedule.from_text(text).with_point(point)


def test_an_open_choice_may_take_any_branch() -> None:
    text = ONE.replace("choose kernel_1 default tiles", "choose kernel_1")
    with pytest.raises(UserError, match="short for 2 choices: BM_tiles, BM_split"):
        Schedule.from_text(text).full_point({"BM": 32})


def test_a_planned_schedule() -> None:
    """The command of docs/planning.md, in Python."""
    payload = EXAMPLES / "matmul_relu" / "payload.mlir"
    planned = tilewright.plan(payload, target="h200").schedule
    assert planned.full_point({"BM": 128}) == {"BM_tiles": 128}
