"""unmask-whole-tiles: only the last tile of a vector of odd length has a mask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.codegen.programs import assert_right, built
from tilewright.payloads import Payload, elementwise

SCHEDULE = """schedule s(root) {
  op = match "linalg.generic" in root
  op, grid = tile op by [256] onto [block.x]
}"""


def sums(length: int, *others: int, dtype: str = "f32") -> str:
    payload = Payload("f")
    tensors = [
        payload.input(f"x{number}", (size,), dtype)
        for number, size in enumerate((length, *others))
    ]

    def total(*elements):
        return sum(elements[1:], elements[0]) + 1.0

    payload.output(elementwise(total, *tensors, dtype=dtype))
    return payload.text()


@pytest.mark.parametrize("others", [(1003,), (1,), ()])
def test_numbers(others) -> None:
    program = assert_right(sums(1003, *others), SCHEDULE).program
    assert "if tile_n < WHOLE:" in program.text
    assert "WHOLE=3" in program.text


def test_the_work_is_counted_once() -> None:
    (odd,) = built(sums(1003, 1003), SCHEDULE).program.kernels
    (even,) = built(sums(1024, 1024), SCHEDULE).program.kernels
    assert [replace(one, tensor_bytes=None) for one in odd.accesses] == [
        replace(one, tensor_bytes=None) for one in even.accesses
    ]


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        (sums(1004), SCHEDULE),  # four elements of f32 are one access
        (sums(1024), SCHEDULE),  # no mask at all
        (sums(101), SCHEDULE),  # no whole tile
        (sums(1003), SCHEDULE.replace("\n}", "\n  launch grid persistent = 1\n}")),
    ],
)
def test_other_kernels_stay(text, schedule) -> None:
    assert "WHOLE" not in built(text, schedule).program.text
