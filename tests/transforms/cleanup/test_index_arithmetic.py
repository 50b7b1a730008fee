"""affine.delinearize_index and linearize_index: numbers, and as affine.apply."""

from __future__ import annotations

import numpy as np
import pytest

from support.transforms.schedules import evaluate, schedule_of, transform
from tilewright.ir.errors import UserError

PAYLOAD = """\
func.func @f(%i: index, %n: index)
    -> (index, index, index, index, index, index, index) {
  %a:3 = affine.delinearize_index %i into (4, %n, 5) : index, index, index
  %b:2 = affine.delinearize_index %i into (7) : index, index
  %c = affine.linearize_index disjoint [%a#0, %a#1, %a#2] by (4, %n, 5) : index
  %d = affine.linearize_index [%b#1, %n] by (8) : index
  return %a#0, %a#1, %a#2, %b#0, %b#1, %c, %d
    : index, index, index, index, index, index, index
}
"""
EXPAND = """transform.apply_patterns to %root {
  transform.apply_patterns.tilewright.index_arithmetic
} : !transform.any_op"""


@pytest.mark.parametrize(("index", "size"), [(0, 1), (17, 3), (59, 3), (123, 11)])
def test_numbers_before_and_after(index: int, size: int) -> None:
    ran = transform(PAYLOAD, schedule_of(EXPAND))
    assert "linearize" not in ran.text
    expected = [
        index // (5 * size),
        index // 5 % size,
        index % 5,
        index // 7,
        index % 7,
        index,
        index % 7 * 8 + size,
    ]
    for module in (ran.before, ran.module):
        assert np.array_equal(evaluate(module, [index, size]), expected)


def test_a_size_that_is_not_positive() -> None:
    ran = transform(PAYLOAD, schedule_of(EXPAND))
    with pytest.raises(UserError, match="not positive"):
        evaluate(ran.before, [5, 0])
