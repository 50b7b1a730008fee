"""Atomic accesses, memref.reshape, prefetch and realloc, by the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module

ATOMIC = """
func.func @f(%a: memref<4xi32>, %x: i32) -> i32 {{
  %c1 = arith.constant 1 : index
  memref.prefetch %a[%c1], write, locality<0>, instr : memref<4xi32>
  %r = memref.atomic_rmw {kind} %x, %a[%c1] : (i32, memref<4xi32>) -> i32
  return %r : i32
}}
"""
RESHAPE = """
func.func @f(%a: memref<2x6xf32>, %s: memref<2xi32>) -> memref<?x?xf32> {
  %r = memref.reshape %a(%s) : (memref<2x6xf32>, memref<2xi32>) -> memref<?x?xf32>
  return %r : memref<?x?xf32>
}
"""


@pytest.mark.parametrize(
    ("kind", "made"),
    [("addi", 12), ("assign", 5), ("maxs", 7), ("mins", 5), ("xori", 2), ("muli", 35)],
)
def test_the_element_is_combined_and_the_old_one_returned(kind: str, made: int) -> None:
    module = parse_module(ATOMIC.format(kind=kind), "a.mlir", payload_context())
    buffer = np.array([1, 7, 1, 1], np.int32)
    (old,) = run(module, [buffer, np.array(5, np.int32)])
    assert int(old) == 7
    assert buffer.tolist() == [1, made, 1, 1]


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(UserError, match="expected one of addf, addi"):
        parse_module(ATOMIC.format(kind="sub"), "a.mlir", payload_context())


def test_a_reshape_is_the_same_memory() -> None:
    module = parse_module(RESHAPE, "r.mlir", payload_context())
    buffer = np.arange(12, dtype=np.float32).reshape(2, 6)
    (view,) = run(module, [buffer, np.array([3, 4], np.int32)])
    assert view.tolist() == np.arange(12).reshape(3, 4).tolist()


def test_a_reshape_to_other_sizes_is_refused() -> None:
    module = parse_module(RESHAPE, "r.mlir", payload_context())
    buffer = np.zeros((2, 6), np.float32)
    with pytest.raises(UserError, match="12 elements cannot have the shape"):
        run(module, [buffer, np.array([3, 5], np.int32)])


REGIONS = """
func.func @f(%a: memref<4xi32>, %n: index) -> (i32, i32, memref<?xi32>) {
  %c1 = arith.constant 1 : index
  %old = memref.generic_atomic_rmw %a[%c1] : memref<4xi32> {
  ^bb0(%x: i32):
    %y = arith.muli %x, %x : i32
    memref.atomic_yield %y : i32
  }
  %in = memref.alloca_scope -> (i32) {
    %s = memref.alloca() : memref<1xi32>
    %z = memref.load %a[%c1] : memref<4xi32>
    memref.alloca_scope.return %z : i32
  }
  %b = memref.alloc() : memref<4xi32>
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  %c = memref.realloc %b(%n) : memref<4xi32> to memref<?xi32>
  LATE
  return %old, %in, %c : i32, i32, memref<?xi32>
}
"""


@pytest.mark.parametrize("length", [2, 4, 6])
def test_ops_with_regions_and_other_lengths(length: int) -> None:
    text = REGIONS.replace("LATE", "")
    module = parse_module(text, "g.mlir", payload_context())
    buffer = np.array([1, 7, 3, 4], np.int32)
    old, new, grown = run(module, [buffer, np.array(length)])
    assert (int(old), int(new)) == (7, 49)
    assert len(grown) == length
    assert grown[:4].tolist() == [1, 49, 3, 4][:length]


def test_what_was_reallocated_is_gone() -> None:
    text = REGIONS.replace(
        "LATE", "memref.copy %b, %a : memref<4xi32> to memref<4xi32>"
    )
    module = parse_module(text, "g.mlir", payload_context())
    with pytest.raises(UserError, match="memory that was deallocated"):
        run(module, [np.zeros(4, np.int32), np.array(6)])
