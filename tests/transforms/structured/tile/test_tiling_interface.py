"""Ops that are not structured, tiled through the tiling interface."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    for_loops,
    forall,
    match,
    refusal,
    schedule_of,
    transform,
)


def pad(source: str, low: str, high: str, result: str, body: str = "") -> str:
    """A pad of one value, which the body may make."""
    value = "%inner" if body else "%v"
    return f"""func.func @pad(%x: {source}, %v: f32) -> {result} {{
  %p = tensor.pad %x low[{low}] high[{high}] {{
  ^bb0(%i: index, %j: index):
    {body}
    tensor.yield {value} : f32
  }} : {source} to {result}
  return %p : {result}
}}
"""


PADS = {
    "both sides": pad("tensor<7x9xf32>", "3, 4", "5, 3", "tensor<15x16xf32>"),
    "low only": pad("tensor<7x9xf32>", "6, 0", "0, 0", "tensor<13x9xf32>"),
    "high only": pad("tensor<7x9xf32>", "0, 0", "7, 1", "tensor<14x10xf32>"),
    "nothing": pad("tensor<7x9xf32>", "0, 0", "0, 0", "tensor<7x9xf32>"),
    "one element": pad("tensor<1x1xf32>", "0, 8", "9, 1", "tensor<10x10xf32>"),
    "a constant of its own": pad(
        "tensor<7x9xf32>",
        "3, 4",
        "5, 3",
        "tensor<15x16xf32>",
        "%inner = arith.constant 2.0 : f32",
    ),
}
PAD = match("%p", "tensor.pad")
TILED = {
    "for": for_loops("%t, %i, %j", "%p", "2, 3"),
    "one loop": for_loops("%t, %j", "%p", "0, 4"),
    "one element": for_loops("%t, %i, %j", "%p", "1, 1"),
    "forall": forall("%t, %g", "%p", "4, 5"),
}


@pytest.mark.parametrize("tiled", TILED)
@pytest.mark.parametrize("name", PADS)
def test_the_numbers_of_pads_stay(name, tiled) -> None:
    assert_same_numbers(transform(PADS[name], schedule_of(PAD, TILED[tiled])))


def test_a_tiled_pad_is_tiled_again() -> None:
    again = for_loops("%u, %k", "%t", "1")
    ran = transform(PADS["both sides"], schedule_of(PAD, TILED["for"], again))
    assert_same_numbers(ran)


def test_pads_of_other_values_are_refused() -> None:
    body = "%k = arith.index_cast %i : index to i32\n"
    body += "%inner = arith.sitofp %k : i32 to f32"
    payload = pad("tensor<7x9xf32>", "3, 4", "5, 3", "tensor<15x16xf32>", body)
    error = refusal(payload, schedule_of(PAD, TILED["for"]))
    assert error.fact == "tile_using_for: the padding is not one value"


SOFTMAX = """func.func @f(%x: tensor<6x8x10xf32>, %e: tensor<6x8x10xf32>)
    -> tensor<6x8x10xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<6x8x10xf32>)
      outs(%e : tensor<6x8x10xf32>) -> tensor<6x8x10xf32>
  return %p : tensor<6x8x10xf32>
}
"""


@pytest.mark.parametrize(
    "tile", [for_loops("%t, %i, %k", "%p", "4, 0, 3"), forall("%t, %g", "%p", "4")]
)
def test_the_numbers_of_a_softmax_stay(tile) -> None:
    ran = transform(SOFTMAX, schedule_of(match("%p", "linalg.softmax"), tile))
    assert_same_numbers(ran, reduction=8)


def test_the_rows_of_a_softmax_are_not_cut() -> None:
    schedule = schedule_of(
        match("%p", "linalg.softmax"), for_loops("%t, %j", "%p", "0, 4")
    )
    error = refusal(SOFTMAX, schedule)
    assert error.fact == "tile_using_for: a tile of a softmax has whole rows"
