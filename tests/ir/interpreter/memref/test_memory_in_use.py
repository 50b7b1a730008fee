"""Buffers in the interpreter: copies, globals, and memory that is gone."""

from __future__ import annotations

import numpy as np
import pytest

from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError

X = np.arange(24, dtype=np.float32).reshape(4, 6)


def test_queries() -> None:
    text = """
    func.func @f(%m: memref<?x6xf32>, %i: index) -> (index, index) {
      %u = memref.cast %m : memref<?x6xf32> to memref<*xf32>
      %d = memref.dim %u, %i : memref<*xf32>
      %r = memref.rank %u : memref<*xf32>
      return %d, %r : index, index
    }"""
    assert interpret(text, X, 0) == [4, 2]
    with pytest.raises(UserError, match="no dimension 2 in rank 2"):
        interpret(text, X, 2)


def test_copy_between_layouts_and_over_itself() -> None:
    text = """
    func.func @f(%m: memref<6xf32>, %t: memref<3xf32, strided<[2]>>) {
      %a = memref.subview %m[0] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1]>>
      %b = memref.subview %m[2] [4] [1]
        : memref<6xf32> to memref<4xf32, strided<[1], offset: 2>>
      memref.copy %a, %b
        : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 2>>
      %c = memref.subview %m[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
      memref.copy %c, %t : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[2]>>
      return
    }"""
    m, t = np.arange(6, dtype=np.float32), np.zeros(5, np.float32)
    interpret(text, m, t[::2])
    np.testing.assert_array_equal(m, [0, 1, 0, 1, 2, 3])
    np.testing.assert_array_equal(t, [0, 0, 1, 0, 0])


def test_copy_of_other_sizes_is_refused() -> None:
    text = """
    func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
      memref.copy %a, %b : memref<?xf32> to memref<?xf32>
      return
    }"""
    with pytest.raises(UserError, match=r"test.mlir:3:7: .*\[6\] and \[4\]"):
        interpret(text, X[0].copy(), np.zeros(4, np.float32))


def test_globals_are_one_memory() -> None:
    text = """
    memref.global "private" constant @table : memref<2x2xf16> = dense<[[1.0, 2.0],
                                                                        [3.0, 4.0]]>
    memref.global "private" @count : memref<i32> = dense<5>
    memref.global @splat : memref<3xi8> = dense<-1>
    memref.global @elsewhere : memref<2xf32>
    func.func private @bump() {
      %one = arith.constant 1 : i32
      %m = memref.get_global @count : memref<i32>
      %v = memref.load %m[] : memref<i32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %m[] : memref<i32>
      return
    }
    func.func @f() -> (memref<2x2xf16>, i32, memref<3xi8>) {
      func.call @bump() : () -> ()
      func.call @bump() : () -> ()
      %t = memref.get_global @table : memref<2x2xf16>
      %m = memref.get_global @count : memref<i32>
      %v = memref.load %m[] : memref<i32>
      %s = memref.get_global @splat : memref<3xi8>
      return %t, %v, %s : memref<2x2xf16>, i32, memref<3xi8>
    }
    func.func @g() -> memref<2xf32> {
      %m = memref.get_global @elsewhere : memref<2xf32>
      return %m : memref<2xf32>
    }"""
    first = text.partition("    func.func @g")[0]
    table, count, splat = interpret(first)
    np.testing.assert_array_equal(table, np.float16([[1, 2], [3, 4]]))
    assert count == 7
    np.testing.assert_array_equal(splat, np.int8([-1, -1, -1]))
    # A run starts anew.
    assert interpret(first)[1] == 7
    names, _, rest = text.partition("    func.func private")
    second = names + rest[rest.index("    func.func @g") :]
    with pytest.raises(UserError, match="defined elsewhere"):
        interpret(second)


USE_AFTER_FREE = """
func.func @f(%v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  %s = memref.subview %m[2] [2] [1]
    : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.store %v, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  {use}
  return %v : f32
}}"""


@pytest.mark.parametrize(
    "use",
    [
        "%r = memref.load %m[%c0] : memref<4xf32>",
        "memref.store %v, %s[%c0] : memref<2xf32, strided<[1], offset: 2>>",
        "memref.dealloc %m : memref<4xf32>",
        "%r = vector.transfer_read %m[%c0], %pad : memref<4xf32>, vector<4xf32>",
        "linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)",
        "memref.copy %m, %m : memref<4xf32> to memref<4xf32>",
        "%t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>",
    ],
)
def test_memory_that_is_gone_is_not_used(use: str) -> None:
    with pytest.raises(UserError) as caught:
        interpret(USE_AFTER_FREE.format(use=use), np.float32(1))
    message = str(caught.value)
    assert message.startswith("test.mlir:10:3")
    assert "uses memory that was deallocated at test.mlir:9:3" in message


def test_masked_ops_are_asked_too() -> None:
    use = """%k = vector.constant_mask [2] : vector<4xi1>
      %r = vector.mask %k { vector.transfer_read %m[%c0], %pad
        : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>"""
    with pytest.raises(UserError, match="was deallocated"):
        interpret(USE_AFTER_FREE.format(use=use), np.float32(1))


def test_memory_of_others_is_untouched_by_a_deallocation() -> None:
    text = """
    func.func @f(%n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %total = memref.alloc() : memref<1xf32>
      memref.store %zero, %total[%c0] : memref<1xf32>
      scf.for %i = %c0 to %n step %c1 {
        %m = memref.alloc() : memref<1xf32>
        memref.store %one, %m[%c0] : memref<1xf32>
        %a = memref.load %m[%c0] : memref<1xf32>
        %b = memref.load %total[%c0] : memref<1xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %total[%c0] : memref<1xf32>
        memref.dealloc %m : memref<1xf32>
      }
      %r = memref.load %total[%c0] : memref<1xf32>
      return %r : f32
    }"""
    assert interpret(text, 300) == 300


def test_two_halves_of_one_array_are_two_buffers() -> None:
    text = """
    func.func @f(%a: memref<3xf32>, %b: memref<3xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      memref.dealloc %a : memref<3xf32>
      %r = memref.load %b[%c0] : memref<3xf32>
      return %r : f32
    }"""
    both = np.arange(6, dtype=np.float32)
    assert interpret(text, both[:3], both[3:]) == 3
    with pytest.raises(UserError, match="was deallocated"):
        interpret(text, both[:3], both[2:5])


def test_materialize_and_clone() -> None:
    text = """
    func.func @f(%t: tensor<?xf32>, %m: memref<?xf32>)
        -> (tensor<?xf32>, memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %v = arith.constant 9.0 : f32
      %r = bufferization.materialize_in_destination %t in %t
        : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      bufferization.materialize_in_destination %t in restrict writable %m
        : (tensor<?xf32>, memref<?xf32>) -> ()
      %c = bufferization.clone %m : memref<?xf32> to memref<?xf32>
      memref.store %v, %m[%c0] : memref<?xf32>
      %a = bufferization.alloc_tensor() copy(%r) : tensor<?xf32>
      bufferization.dealloc_tensor %r : tensor<?xf32>
      return %a, %c : tensor<?xf32>, memref<?xf32>
    }"""
    t, m = X[1], np.zeros(6, np.float32)
    a, c = interpret(text, t, m)
    np.testing.assert_array_equal(a, t)
    np.testing.assert_array_equal(c, t)
    np.testing.assert_array_equal(m, [9, *t[1:]])
    with pytest.raises(UserError, match=r"test.mlir:8:7: .*\[6\] and \[4\]"):
        interpret(text, t, np.zeros(4, np.float32))
