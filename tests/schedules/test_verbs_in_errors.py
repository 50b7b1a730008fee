"""A refusal at run time begins with the word that the line of the schedule has."""

from __future__ import annotations

import pytest

from support.transforms.payloads import linear
from support.transforms.schedules import forall, fuse, match, schedule_of
from tilewright.ir.errors import UserError
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule

HEAD = """\
schedule s(root) {
  W = knob [3, 16]
  mm = match "linalg.matmul" in root
  tail = match "linalg.generic" in root
  mm, grid = tile mm by [16, 16] onto [block.y, block.x]
"""


def refusal(schedule: Schedule) -> str:
    with pytest.raises(UserError) as caught:
        apply_schedule(parse_payload(linear(64, 64, 64)), schedule)
    return caught.value.fact


@pytest.mark.parametrize(
    "line, fact",
    [
        ("tail, grid = fuse tail into grid", "fuse: no slice of the results"),
        ("tail, i, j, k, l = tile tail by [8, 8, W, 8]", "tile: 4 tile sizes"),
        ("launch grid warps = W", "launch: 'triton.num_warps' is 3"),
        ("unroll grid by 4", "unroll: "),
        ("p = parent tail nth = 7", "parent: "),
    ],
)
def test_a_line_of_the_language(line: str, fact: str) -> None:
    schedule = Schedule.from_text(f"{HEAD}  {line}\n}}\n", "s.tw")
    # A schedule is copied when its knobs are closed.
    assert refusal(schedule.with_point({"W": 3})).startswith(fact)


def test_an_op_of_a_script() -> None:
    text = schedule_of(
        match("%mm", "linalg.matmul"),
        match("%tail", "linalg.generic"),
        forall("%t, %grid", "%mm", "16, 16"),
        fuse("%f, %g", "%tail", "%grid"),
    )
    schedule = Schedule.from_text(text, "s.mlir")
    assert refusal(schedule).startswith("fuse_into_containing_op: no slice")


def test_a_handle_to_several_ops_is_noted() -> None:
    text = """
schedule s(root) {
  both = match ["linalg.fill", "linalg.matmul"] in root
  both, grid = tile both by [8, 8, 8] onto [block.z, block.y, block.x]
}
"""
    with pytest.raises(UserError) as caught:
        apply_schedule(
            parse_payload(linear(64, 64, 64)), Schedule.from_text(text, "s.tw")
        )
    assert caught.value.notes[-1].fact == (
        "'both' points at 2 ops; 'split_handle' tells them apart"
    )
