"""gather_operands: inputs that are read at computed places become extracts."""

from __future__ import annotations

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.schedules import (
    assert_same_numbers,
    for_loops,
    match,
    refusal,
    schedule_of,
    transform,
    vectorize,
)

POOL = """\
func.func @f(%x: tensor<2x9x9xf32>, %w: tensor<3xf32>, %o: tensor<2x9x4xf32>)
    -> tensor<2x9x4xf32> {
  %r = linalg.pooling_ncw_max {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x9xf32>, tensor<3xf32>) outs(%o : tensor<2x9x4xf32>) -> tensor<2x9x4xf32>
  return %r : tensor<2x9x4xf32>
}
"""  # noqa: E501
POOLS = match("%p", "linalg.pooling_ncw_max")
GATHER = (
    "%g = transform.tilewright.gather_operands %p "
    ": (!transform.any_op) -> !transform.any_op"
)


def test_the_body_extracts_the_element() -> None:
    ran = transform(POOL, schedule_of(POOLS, GATHER))
    assert_same_numbers(ran)
    assert "tensor.extract %x[" in ran.text
    assert "ins(%w : tensor<3xf32>)" in ran.text


def test_the_new_op_is_tiled_and_vectorized() -> None:
    tile = for_loops("%t, %l0, %l1", "%g", "1, 4, 0, 0")
    schedule = schedule_of(POOLS, GATHER, tile, vectorize("%t", "1, 4, 4, 4"))
    ran = transform(POOL, schedule)
    assert_same_numbers(ran)
    assert "vector.gather %x" in ran.text


@needs_mlir
def test_real_mlir_reads_the_result() -> None:
    assert "tensor.extract" in mlir_opt(
        transform(POOL, schedule_of(POOLS, GATHER)).text
    )


def test_an_op_with_projections_is_refused() -> None:
    plain = """\
func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
    error = refusal(plain, schedule_of(match("%p", "linalg.exp"), GATHER))
    assert "every input is read where its loops are" in str(error)
