"""Groups that make other views of buffers: the same numbers."""

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


VIEWS = """\
func.func @f(%m: memref<8x6x4xf32>, %i: index, %j: index) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.subview %m[1, %i, 0] [3, 4, 4] [2, 1, 1]
    : memref<8x6x4xf32> to memref<3x4x4xf32, strided<[48, 4, 1], offset: ?>>
  %b = memref.subview %a[%i, 0, 1] [1, 3, 2] [1, 1, 1]
    : memref<3x4x4xf32, strided<[48, 4, 1], offset: ?>>
    to memref<3x2xf32, strided<[4, 1], offset: ?>>
  %x = memref.load %b[%j, %c0] : memref<3x2xf32, strided<[4, 1], offset: ?>>
  %c = memref.collapse_shape %m [[0, 1], [2]] : memref<8x6x4xf32> into memref<48x4xf32>
  %y = memref.load %c[%j, %i] : memref<48x4xf32>
  %e = memref.expand_shape %c [[0, 1], [2]] output_shape [16, 3, 4]
    : memref<48x4xf32> into memref<16x3x4xf32>
  %z = memref.load %e[%i, %j, %j] : memref<16x3x4xf32>
  return %x, %y, %z : f32, f32, f32
}
"""


@pytest.mark.parametrize(
    ("group", "left"),
    [("expand_strided_metadata", "subview"), ("fold_memref_alias_ops", "_shape")],
)
@pytest.mark.parametrize("indices", [(0, 0), (1, 2)])
def test_the_same_elements(group: str, left: str, indices: tuple[int, int]) -> None:
    step = f"""transform.apply_patterns to %root {{
  transform.apply_patterns.memref.{group}
}} : !transform.any_op"""
    ran = transform(VIEWS, schedule_of(step))
    assert left in VIEWS and left not in ran.text
    given = np.arange(192, dtype=np.float32).reshape(8, 6, 4)
    places = [np.array(index) for index in indices]
    found = [run(module, [given, *places]) for module in (ran.before, ran.module)]
    assert np.array_equal(found[0], found[1])
