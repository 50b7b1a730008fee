"""A chain that ends in a matmul of a vector has no rows for a grid."""

from __future__ import annotations

from tilewright.codegen.targets import target_named
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan

PAYLOAD = """
func.func @f(%x: tensor<1x1xi32>, %w: tensor<1x65xi32>, %y: tensor<65xi32>) -> tensor<65xi32> {
  %least = arith.constant -100 : i32
  %e = tensor.empty() : tensor<1xi32>
  %start = linalg.fill ins(%least : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>
  %most = linalg.reduce { arith.maxsi } ins(%x : tensor<1x1xi32>) outs(%start : tensor<1xi32>) dimensions = [1]
  %r = linalg.vecmat ins(%most, %w : tensor<1xi32>, tensor<1x65xi32>) outs(%y : tensor<65xi32>) -> tensor<65xi32>
  return %r : tensor<65xi32>
}
"""  # noqa: E501


def test_a_chain_without_rows_is_planned_in_parts() -> None:
    found = plan(parse_payload(PAYLOAD), target_named("h200"))
    assert "onto []" not in found.text
    built = build(parse_payload(PAYLOAD), found.schedule)
    outcome = check_kernel_ir(built, make_case(parse_payload(PAYLOAD), 0))
    assert outcome.ok, outcome.message
