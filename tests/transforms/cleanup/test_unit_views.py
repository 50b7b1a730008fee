"""Transfers of views without dimensions of extent 1: the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.transforms.schedules import schedule_of, transform
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter import run

PAYLOAD = """\
func.func @f(%a: memref<1x8x1x4x1xf32>, %b: memref<8x4x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0, %c0, %c0, %c0], %pad
    {in_bounds = [true, true, true, true, true]}
    : memref<1x8x1x4x1xf32>, vector<1x8x1x4x1xf32>
  %w = arith.addf %v, %v : vector<1x8x1x4x1xf32>
  vector.transfer_write %w, %a[%c0, %c0, %c0, %c0, %c0]
    {in_bounds = [true, true, true, true, true]}
    : vector<1x8x1x4x1xf32>, memref<1x8x1x4x1xf32>
  %x = vector.transfer_read %b[%c1, %c1, %c0], %pad
    {in_bounds = [true, true, true]} : memref<8x4x1xf32>, vector<5x2x1xf32>
  vector.transfer_write %x, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]}
    : vector<5x2x1xf32>, memref<8x4x1xf32>
  return
}
"""


def _written(module: ModuleOp) -> list[Array]:
    """What the payload leaves in its buffers."""
    given = [np.arange(32, dtype=np.float32).reshape(1, 8, 1, 4, 1) for _ in range(2)]
    buffers = [given[0], given[1].reshape(8, 4, 1)]
    run(module, buffers)
    return buffers


@pytest.mark.parametrize(
    ("group", "count"),
    [
        ("drop_inner_most_unit_dims_from_xfer_ops", 4),
        ("rank_reducing_subview_patterns", 3),
    ],
)
def test_numbers(group: str, count: int) -> None:
    step = f"""transform.apply_patterns to %root {{
  transform.apply_patterns.vector.{group}
}} : !transform.any_op"""
    ran = transform(PAYLOAD, schedule_of(step))
    left, right = (_written(module) for module in (ran.before, ran.module))
    assert all(map(np.array_equal, left, right))
    assert ran.text.count("memref.subview") == count
