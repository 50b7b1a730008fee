"""Reductions by unsigned extrema: poolings of linalg, and rows."""

from __future__ import annotations

import pytest

from support.codegen.programs import assert_right
from tilewright.codegen.targets import TARGETS
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan

ROWS = """
func.func @f(%x: tensor<8x32x{of}>) -> tensor<8x{of}> {{
  %c = arith.constant {start} : {of}
  %e = tensor.empty() : tensor<8x{of}>
  %i = linalg.fill ins(%c : {of}) outs(%e : tensor<8x{of}>) -> tensor<8x{of}>
  %r = linalg.reduce {{ {op} }} ins(%x : tensor<8x32x{of}>) outs(%i : tensor<8x{of}>) dimensions = [1]
  return %r : tensor<8x{of}>
}}
"""  # noqa: E501
POOLING = """
func.func @f(%x: tensor<1x8x8x4xi8>, %w: tensor<2x2xi8>) -> tensor<1x4x4x4xi8> {{
  %c = arith.constant {start} : i8
  %e = tensor.empty() : tensor<1x4x4x4xi8>
  %i = linalg.fill ins(%c : i8) outs(%e : tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %r = linalg.pooling_nhwc_{kind}_unsigned {{strides = dense<2> : tensor<2xi64>}} ins(%x, %w : tensor<1x8x8x4xi8>, tensor<2x2xi8>) outs(%i : tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  return %r : tensor<1x4x4x4xi8>
}}
"""  # noqa: E501
START = {"max": 0, "min": -1}
"""All bits are set in the largest unsigned number."""


@pytest.mark.parametrize("of", ["i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("kind", ["max", "min"])
def test_rows(kind: str, of: str) -> None:
    text = ROWS.format(of=of, op=f"arith.{kind}ui", start=START[kind])
    assert f"tl.{kind}(" in assert_right(text).program.text


@pytest.mark.parametrize("kind", ["max", "min"])
def test_poolings(kind: str) -> None:
    text = POOLING.format(kind=kind, start=START[kind])
    assert_right(text, plan(parse_payload(text), TARGETS["h200"]).text)
