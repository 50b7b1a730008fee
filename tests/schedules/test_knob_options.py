"""Knobs whose options are an `affine_set`, as upstream reads them."""

from __future__ import annotations

import pytest

from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.tuning.space.read import read_space

OP = "!transform.any_op"


def schedule(options: str) -> Schedule:
    return Schedule.from_text(
        f"transform.named_sequence @__transform_main(%r: {OP} {{transform.readonly}})"
        f' {{\n  %p = transform.tune.knob<"SIZE"> options = {options} '
        "-> !transform.param<i64>\n  transform.yield\n}\n",
        "sets.mlir",
    )


@pytest.mark.parametrize(
    "constraints, values",
    [
        ("d0 - 16 >= 0, 64 - d0 >= 0, d0 mod 16 == 0", (16, 32, 48, 64)),
        ("d0 * 3 - 5 >= 0, d0 * -2 + 9 >= 0", (2, 3, 4)),
        ("d0 - 7 == 0", (7,)),
        ("d0 <= 2, 0 <= d0", (0, 1, 2)),
        ("d0 * 2 - 7 == 0", ()),
        ("d0 - 2 >= 0", ()),
        ("d0 >= 0, 1000000 - d0 >= 0", ()),
    ],
)
def test_the_integers_of_a_set(constraints: str, values: tuple[int, ...]) -> None:
    module = schedule(f"affine_set<(d0) : ({constraints})>").module
    (knob,) = [op for op in module.walk() if isinstance(op, KnobOp)]
    assert knob.values == values


def test_a_bounded_set_can_be_tuned() -> None:
    space = read_space(schedule("affine_set<(d0) : (d0 - 1 >= 0, 3 - d0 >= 0)>").module)
    assert [point["SIZE"] for point in space.points()] == [1, 2, 3]


def test_a_set_without_bounds_takes_a_value() -> None:
    read = schedule("affine_set<(d0) : (d0 - 2 >= 0)>")
    assert "= 4242 : i64 from options" in read.with_point({"SIZE": 4242}).to_mlir()
    with pytest.raises(UserError, match="cannot be 1"):
        read.with_point({"SIZE": 1})
