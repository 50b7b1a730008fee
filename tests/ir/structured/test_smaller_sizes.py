"""Payloads at halved sizes: equal extents stay equal, large ones are halved first."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ir.structured.smaller_sizes import (
    with_halved_sizes,
    with_smaller_sizes,
)
from tilewright.ir.text import verify
from tilewright.numeric_check import make_case
from tilewright.payload_work import iterations
from tilewright.payloads import Payload, attention, linear
from tilewright.pipeline import argument_specs, parse_payload


def shapes_after(payload: Payload, most: float) -> dict[str, tuple[int, ...]] | None:
    small = with_halved_sizes(parse_payload(payload.text()), most)
    if small is None:
        return None
    verify(small)
    assert iterations(small) <= most
    return {spec.name: tuple(spec.shape) for spec in argument_specs(small)[0]}


def test_the_largest_extents_are_halved_first() -> None:
    p = Payload("scores")
    q, k, v = (p.input(name, (32, 4096, 128), "f16") for name in "qkv")
    p.output(attention(q, k, v))
    found = shapes_after(p, 1e9)
    assert found is not None
    assert found["k"] == found["v"] == (32, 256, 128)
    assert found["q"][0] == 32 and found["q"][2] == 128


def test_a_payload_that_is_small_keeps_its_sizes() -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (64, 32), "f16"), p.input("w", (32, 48), "f16")))
    assert shapes_after(p, 1e9) == {"x": (64, 32), "w": (32, 48)}


@pytest.mark.parametrize("rows", [4097, 12345])
def test_odd_extents_stay(rows: int) -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (rows, 1024), "f16"), p.input("w", (1024, 64), "f16")))
    found = shapes_after(p, rows * 64 * (256 + 4))
    assert found == {"x": (rows, 256), "w": (256, 64)}


def test_extents_that_cannot_be_halved_give_nothing() -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (4097, 33), "f16"), p.input("w", (33, 65), "f16")))
    assert shapes_after(p, 1e3) is None


PADDED = """
func.func @f(%x: tensor<64x28xf32>) -> tensor<64x30xf32> {
  %last = arith.constant 27 : index
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %empty = tensor.empty() : tensor<64x30xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<64x30xf32>) {
  ^bb0(%unused: f32):
    %row = linalg.index 0 : index
    %place = linalg.index 1 : index
    %before = arith.subi %place, %one : index
    %above = arith.maxsi %before, %first : index
    %column = arith.minsi %above, %last : index
    %value = tensor.extract %x[%row, %column] : tensor<64x28xf32>
    linalg.yield %value : f32
  } -> tensor<64x30xf32>
  return %out : tensor<64x30xf32>
}
"""


def test_what_a_computed_index_depends_on_stays() -> None:
    small = with_smaller_sizes(parse_payload(PADDED))
    assert small is not None
    verify(small)
    arguments, results = argument_specs(small)
    (rows, columns), (out_rows, out_columns) = arguments[0].shape, results[0].shape
    assert rows == out_rows < 64
    assert (columns, out_columns) == (28, 30)
    case = make_case(small, 0)
    np.testing.assert_array_equal(
        case.expected[0], np.pad(case.inputs[0], ((0, 0), (1, 1)), mode="edge")
    )
