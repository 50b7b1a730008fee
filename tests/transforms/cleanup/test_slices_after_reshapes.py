"""tilewright.slices_after_reshapes: the whole tensor is reshaped, then sliced."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)

SCHEDULE = schedule_of(patterns("tilewright.slices_after_reshapes"))


def payload(
    offset: str,
    sizes: str,
    part: str,
    reshape: str,
    result: str,
    strides: str = "1, 1, 1",
) -> str:
    return f"""\
func.func @f(%x: tensor<3x8x6xf32>) -> tensor<{result}xf32> {{
  %s = tensor.extract_slice %x[{offset}] [{sizes}] [{strides}]
    : tensor<3x8x6xf32> to tensor<{part}xf32>
  %r = tensor.{reshape} : tensor<{part}xf32> into tensor<{result}xf32>
  return %r : tensor<{result}xf32>
}}
"""


MOVED = {
    "a leading part is merged": payload(
        "1, 0, 0", "1, 8, 6", "1x8x6", "collapse_shape %s [[0, 1], [2]]", "8x6"
    ),
    "whole dimensions are merged": payload(
        "1, 0, 0", "2, 8, 6", "2x8x6", "collapse_shape %s [[0], [1, 2]]", "2x48"
    ),
    "rows of a part are merged": payload(
        "2, 2, 0", "1, 3, 6", "1x3x6", "collapse_shape %s [[0, 1, 2]]", "18"
    ),
    "whole dimensions beside one in steps are merged": payload(
        "0, 0, 1",
        "3, 8, 3",
        "3x8x3",
        "collapse_shape %s [[0, 1], [2]]",
        "24x3",
        "1, 1, 2",
    ),
    "a whole dimension beside one in steps is split": payload(
        "0, 0, 0",
        "2, 8, 6",
        "2x8x6",
        "expand_shape %s [[0], [1, 2], [3]] output_shape [2, 4, 2, 6]",
        "2x4x2x6",
        "2, 1, 1",
    ),
    "a whole dimension is split": payload(
        "1, 0, 0",
        "1, 8, 6",
        "1x8x6",
        "expand_shape %s [[0], [1], [2, 3]] output_shape [1, 8, 2, 3]",
        "1x8x2x3",
    ),
    "a part is split": payload(
        "0, 4, 0",
        "3, 4, 6",
        "3x4x6",
        "expand_shape %s [[0], [1, 2], [3]] output_shape [3, 2, 2, 6]",
        "3x2x2x6",
    ),
}
COPIED = {
    "elements in steps": payload(
        "0, 0, 0",
        "3, 4, 6",
        "3x4x6",
        "collapse_shape %s [[0, 1], [2]]",
        "12x6",
        "1, 2, 1",
    ),
    "a dimension in steps that is split": payload(
        "0, 0, 0",
        "3, 4, 6",
        "3x4x6",
        "expand_shape %s [[0], [1, 2], [3]] output_shape [3, 2, 2, 6]",
        "3x2x2x6",
        "1, 2, 1",
    ),
    "elements that lie apart": payload(
        "0, 2, 0", "3, 3, 6", "3x3x6", "collapse_shape %s [[0, 1], [2]]", "9x6"
    ),
    "a part that the split does not divide": payload(
        "0, 3, 0",
        "3, 4, 6",
        "3x4x6",
        "expand_shape %s [[0], [1, 2], [3]] output_shape [3, 2, 2, 6]",
        "3x2x2x6",
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_the_slice_comes_last(name: str) -> None:
    ran = transform(MOVED[name], SCHEDULE)
    assert_same_numbers(ran)
    lines = ran.text.splitlines()
    assert "tensor.extract_slice" in lines[-4] and "linalg" not in ran.text


@pytest.mark.parametrize("name", COPIED)
def test_other_slices_are_copied(name: str) -> None:
    ran = transform(COPIED[name], SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor.extract %x" in ran.text and "_shape" not in ran.text
