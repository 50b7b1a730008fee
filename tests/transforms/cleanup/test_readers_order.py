"""tilewright.readers_order: what is read many times lies as it is read."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)

SCHEDULE = schedule_of(patterns("tilewright.readers_order"))

BIAS = """
func.func @f(%d: tensor<4x6xf32>, %t: tensor<2xf32>, %s: tensor<3x2x4x6xf32>) -> {returns} {{
  %e = tensor.empty() : tensor<4x6x2xf32>
  %b = linalg.generic {{indexing_maps = [affine_map<(q, k, h) -> (q, k)>, affine_map<(q, k, h) -> (h)>, affine_map<(q, k, h) -> (q, k, h)>], iterator_types = ["parallel", "parallel", "parallel"]}} ins(%d, %t : tensor<4x6xf32>, tensor<2xf32>) outs(%e : tensor<4x6x2xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %m = arith.mulf %x, %y : f32
    %n = arith.addf %m, %k : f32
    linalg.yield %n : f32
  }} -> tensor<4x6x2xf32>
  %f = tensor.empty() : tensor<3x2x4x6xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(b, h, q, k) -> (b, h, q, k)>, affine_map<(b, h, q, k) -> (q, k, h)>, affine_map<(b, h, q, k) -> (b, h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%s, %b : tensor<3x2x4x6xf32>, tensor<4x6x2xf32>) outs(%f : tensor<3x2x4x6xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %a = arith.addf %x, %y : f32
    linalg.yield %a : f32
  }} -> tensor<3x2x4x6xf32>
  {more}
}}
"""  # noqa: E501
ALONE = BIAS.format(
    returns="tensor<3x2x4x6xf32>", more="return %r : tensor<3x2x4x6xf32>"
)


def test_a_bias_lies_as_it_is_added() -> None:
    ran = transform(ALONE, SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor<2x4x6xf32>" in ran.text and "tensor<4x6x2xf32>" not in ran.text
    assert "linalg.index 0" in ran.text


def test_a_second_time_changes_nothing() -> None:
    once = transform(ALONE, SCHEDULE).text
    assert transform(once, SCHEDULE).text == once


@pytest.mark.parametrize(
    "more",
    [
        "return %r, %b : tensor<3x2x4x6xf32>, tensor<4x6x2xf32>",
        """%e2 = tensor.empty() : tensor<4x6x2xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(q, k, h) -> (q, k, h)>, affine_map<(q, k, h) -> (q, k, h)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<4x6x2xf32>) outs(%e2 : tensor<4x6x2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %a = arith.negf %x : f32
    linalg.yield %a : f32
  } -> tensor<4x6x2xf32>
  return %r, %w : tensor<3x2x4x6xf32>, tensor<4x6x2xf32>""",  # noqa: E501
    ],
    ids=["returned", "read along too"],
)
def test_other_readers_keep_the_order(more: str) -> None:
    text = BIAS.format(returns="(tensor<3x2x4x6xf32>, tensor<4x6x2xf32>)", more=more)
    ran = transform(text, SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor<2x4x6xf32>" not in ran.text


def read_once(text: str) -> str:
    """Without the loop that adds the bias again."""
    text = text.replace("3x2x4x6", "2x4x6").replace("(b, h, q, k)", "(h, q, k)")
    text = text.replace("(b, h, q, k)", "(h, q, k)")
    four = ", ".join(['"parallel"'] * 4)
    return text.replace(four, ", ".join(['"parallel"'] * 3))


def test_what_is_read_once_keeps_its_order() -> None:
    ran = transform(read_once(ALONE), SCHEDULE)
    assert_same_numbers(ran)
    assert "-> (d1, d2, d0)" in ran.text


def test_an_op_that_reads_nothing_along_has_its_readers_order() -> None:
    """Without the table of heads."""
    text = read_once(ALONE).replace("affine_map<(q, k, h) -> (h)>, ", "")
    text = text.replace(
        "ins(%d, %t : tensor<4x6xf32>, tensor<2xf32>)", "ins(%d : tensor<4x6xf32>)"
    )
    text = text.replace(
        "^bb0(%x: f32, %y: f32, %o: f32):\n    %i", "^bb0(%x: f32, %o: f32):\n    %i"
    )
    text = text.replace("arith.mulf %x, %y", "arith.mulf %x, %x")
    ran = transform(text, SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor<2x4x6xf32>" in ran.text and "tensor<4x6x2xf32>" not in ran.text
