"""A division of a tile by a power of two is a product, which is one instruction."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right
from tilewright.payloads import Payload


@pytest.mark.parametrize(
    ("by", "text"), [(8.0, "* 0.125"), (-0.5, "* -2.0"), (3.0, "/ 3.0"), (0.0, "/ 0.0")]
)
def test_a_tile_over_a_number(by: float, text: str) -> None:
    p = Payload("quotient")
    p.output(p.input("x", (64, 64), "f32") / by + 1.0)
    made = assert_right(p, by_triton=by != 0.0)
    kernels = made.program.text.partition("def quotient(")[0]
    assert text in kernels and kernels.count(" / ") == text.startswith("/")


def test_a_number_of_each_row_stays_a_division() -> None:
    p = Payload("mean")
    p.output(p.input("x", (64, 128), "f32").mean(1))
    assert " / 128.0" in assert_right(p).program.text
