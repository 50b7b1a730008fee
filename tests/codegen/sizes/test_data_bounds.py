"""Kernels whose loops end where the elements of tensors say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.paths import EXAMPLES
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.payloads import Payload, attention
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule


def kernel(**options: Any) -> str:
    """The source of attention under `causal.tw`; shapes stand for i32 inputs."""
    p = Payload("attention")
    q, k, v = (p.input(name, (2, 2, 256, 32), "f16") for name in "qkv")
    for name, given in options.items():
        if name != "causal":
            options[name] = p.input(name, given, "i32")
    if "first" in options:
        options["key_range"] = options.pop("first"), None
    p.output(attention(q, k, v, **options))
    schedule = Schedule.from_path(EXAMPLES / "attention" / "causal.tw")
    point = {"masks": "every"}
    return build(parse_payload(p.text()), schedule, point).program.text


def test_a_length_ends_the_loop() -> None:
    text = kernel(key_lengths=(2,))
    assert "lengths = tl.load(key_lengths_ptr + tile_b)" in text
    assert "for n in tl.range(0, max(0, min(256, key_lengths)), BLOCK_N" in text


@pytest.mark.slow
def test_the_least_first_key_of_the_rows_begins_it() -> None:
    text = kernel(first=(2, 256), causal=True)
    assert "least = tl.min(first, axis=0)" in text
    assert "max(0, min(256, least)) // 64 * 64, off_m + BLOCK_M, BLOCK_N" in text


@pytest.mark.slow
def test_documents_are_searched_once() -> None:
    text = kernel(documents=(2, 256), causal=True)
    assert text.count("for n in") == 2
    assert "match = (least <= documents2) & (most >= documents2)" in text


OFFSET = """\
func.func @f(%x: tensor<16x16xf32>, %at: tensor<1xi32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    %n = vector.transfer_read %at[%c0], %zero {in_bounds = [true]} : tensor<1xi32>, vector<1xi32>
    %m = vector.multi_reduction <maxsi>, %n, %zero [0] : vector<1xi32> to i32
    %row = arith.index_cast %m : i32 to index
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : tensor<16x16xf32>, vector<16xf32>
    %w = vector.transfer_write %v, %o[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<x>]}
  func.return %r : tensor<16xf32>
}
"""  # noqa: E501


def test_offsets_that_are_data_are_refused() -> None:
    with pytest.raises(UserError, match="an offset is computed from data"):
        build(parse_payload(OFFSET), Schedule.empty())


@pytest.mark.parametrize(("at", "row"), [(5, 5), (-7, 0), (99, 15)])
def test_an_offset_between_two_numbers_may_be_data(at: int, row: int) -> None:
    clamped = """%any = arith.index_cast %m : i32 to index
    %least = affine.min affine_map<(d0) -> (d0, 15)>(%any)
    %row = affine.max affine_map<(d0) -> (d0, 0)>(%least)"""
    text = OFFSET.replace("%row = arith.index_cast %m : i32 to index", clamped)
    module = build(parse_payload(text), Schedule.empty()).kernel
    x = np.arange(256, dtype=np.float32).reshape(16, 16)
    (result,) = run(module, [x, np.array([at], np.int32)])
    np.testing.assert_array_equal(result, x[row])
