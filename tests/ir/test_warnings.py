"""A warning where a structured op adds up into memory that nobody has filled."""

from __future__ import annotations

import pytest

from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module
from tilewright.ir.warnings import payload_warnings

ARGUMENTS = "%a: tensor<8x8xf32>, %b: tensor<8x8xf32>"
MATMUL = "linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)"


def warnings_of(text: str) -> list[UserError]:
    return payload_warnings(parse_module(text, "warn.mlir", payload_context()))


def test_place_remedy_and_origin() -> None:
    (warning,) = warnings_of(f"""
func.func @f({ARGUMENTS}) -> tensor<8x8xf32> {{
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = {MATMUL} outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}""")
    assert str(warning).splitlines() == [
        "warn.mlir:4:3: error: 'linalg.matmul' op accumulates into an unfilled "
        "tensor.empty; fill it first: linalg.fill ins(%zero : ...) outs(...)",
        "    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) "
        "outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>",
        "    ^",
        "warn.mlir:3:3: note: it is made here, with nothing in it",
        "    %e = tensor.empty() : tensor<8x8xf32>",
        "    ^",
    ]


UNFILLED = {
    "through a cast": f"""
  %e = tensor.empty() : tensor<8x8xf32>
  %d = tensor.cast %e : tensor<8x8xf32> to tensor<?x8xf32>
  %c = tensor.cast %d : tensor<?x8xf32> to tensor<8x8xf32>
  %0 = {MATMUL} outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "through a slice": f"""
  %e = tensor.empty() : tensor<16x8xf32>
  %s = tensor.extract_slice %e[0, 0] [8, 8] [1, 1]
    : tensor<16x8xf32> to tensor<8x8xf32>
  %0 = {MATMUL} outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "carried by a loop": f"""
  %e = tensor.empty() : tensor<8x8xf32>
  %i0 = arith.constant 0 : index
  %0 = scf.for %i = %i0 to %i0 step %i0 iter_args(%acc = %e) -> (tensor<8x8xf32>) {{
    %1 = {MATMUL} outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %1 : tensor<8x8xf32>
  }}""",
    "carried by a grid": f"""
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = scf.forall (%i) in (2) shared_outs(%acc = %e) -> (tensor<16x8xf32>) {{
    %s = tensor.extract_slice %acc[%i, 0] [8, 8] [1, 1]
      : tensor<16x8xf32> to tensor<8x8xf32>
    %1 = {MATMUL} outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %1 into %acc[%i, 0] [8, 8] [1, 1]
        : tensor<8x8xf32> into tensor<16x8xf32>
    }}
  }}""",
    "a reduction": """
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x8xf32>)
    outs(%e : tensor<8xf32>) dimensions = [1]""",
    "a generic op": """
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>""",
    "a buffer": """
  %x = memref.alloc() : memref<8x8xf32>
  %y = memref.alloc() : memref<8x8xf32>
  linalg.copy ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %e = memref.alloc() : memref<8x8xf32>
  linalg.matmul ins(%x, %y : memref<8x8xf32>, memref<8x8xf32>)
    outs(%e : memref<8x8xf32>)""",
}

FILLED = {
    "by linalg.fill": f"""
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = {MATMUL} outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "by the caller": f"""
  %0 = {MATMUL} outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "not read": """
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.add ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "a buffer, before": """
  %z = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<8x8xf32>
  %v = memref.subview %e[0, 0] [8, 8] [1, 1]
    : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  linalg.fill ins(%z : f32) outs(%v : memref<8x8xf32, strided<[8, 1]>>)
  linalg.matmul ins(%e, %e : memref<8x8xf32>, memref<8x8xf32>)
    outs(%e : memref<8x8xf32>)""",
    "a buffer, in the same loop": """
  %z = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %e = memref.alloc() : memref<8x8xf32>
  scf.for %i = %i0 to %i0 step %i0 {
    linalg.fill ins(%z : f32) outs(%e : memref<8x8xf32>)
    linalg.matmul ins(%e, %e : memref<8x8xf32>, memref<8x8xf32>)
      outs(%e : memref<8x8xf32>)
  }""",
}


@pytest.mark.parametrize("body", UNFILLED.values(), ids=UNFILLED.keys())
def test_unfilled(body: str) -> None:
    (warning,) = warnings_of(f"func.func @f({ARGUMENTS}) {{{body}\n  return\n}}")
    assert "accumulates into an unfilled" in warning.fact
    assert warning.place is not None and warning.place.text is not None


@pytest.mark.parametrize("body", FILLED.values(), ids=FILLED.keys())
def test_filled(body: str) -> None:
    assert not warnings_of(f"func.func @f({ARGUMENTS}) {{{body}\n  return\n}}")
