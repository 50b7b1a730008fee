"""Buffers in the interpreter: memory, subviews, reshapes and casts."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError

X = np.arange(24, dtype=np.float32).reshape(4, 6)


def test_alloc_of_dynamic_sizes_and_layouts() -> None:
    text = """
    func.func @f(%n: index, %v: f32)
        -> (memref<?x3xf32>, memref<2x3xf32, strided<[1, 2], offset: 1>>, memref<f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = memref.alloc(%n) : memref<?x3xf32>
      %b = memref.alloca() : memref<2x3xf32, strided<[1, 2], offset: 1>>
      %z = memref.alloc() : memref<f32>
      memref.store %v, %a[%c1, %c2] : memref<?x3xf32>
      memref.store %v, %b[%c1, %c2] : memref<2x3xf32, strided<[1, 2], offset: 1>>
      memref.store %v, %z[] : memref<f32>
      return %a, %b, %z
        : memref<?x3xf32>, memref<2x3xf32, strided<[1, 2], offset: 1>>, memref<f32>
    }"""
    a, b, z = interpret(text, 4, np.float32(7))
    assert a.shape == (4, 3) and a[1, 2] == 7 and a.sum() == 7
    assert b.strides == (4, 8) and b[1, 2] == 7 and b.sum() == 7
    assert z == 7
    with pytest.raises(UserError, match=r"test.mlir:7:7: .*shape \[-1, 3\]"):
        interpret(text, -1, np.float32(7))


def test_what_is_not_written_is_poison_on_request() -> None:
    text = """
    memref.global @scratch : memref<2xf32> = uninitialized
    func.func @f() -> (memref<2xbf16>, memref<2xf32>, tensor<2xi8>, memref<2xi1>) {
      %a = memref.alloca() : memref<2xbf16>
      %g = memref.get_global @scratch : memref<2xf32>
      %t = bufferization.alloc_tensor() : tensor<2xi8>
      %b = memref.alloc() : memref<2xi1>
      return %a, %g, %t, %b : memref<2xbf16>, memref<2xf32>, tensor<2xi8>, memref<2xi1>
    }"""
    for values in interpret(text):
        assert (values == 0).all()
    a, g, t, b = interpret(text, poison_uninitialized=True)
    assert np.isnan(a.astype(np.float32)).all() and np.isnan(g).all()
    assert (t == 127).all() and b.all()


def test_load_and_store_are_checked() -> None:
    text = """
    func.func @f(%m: memref<4x6xf32>, %i: index, %j: index, %v: f32) -> f32 {
      %r = memref.load %m[%i, %j] : memref<4x6xf32>
      memref.store %v, %m[%i, %j] : memref<4x6xf32>
      return %r : f32
    }"""
    x = X.copy()
    assert interpret(text, x, 3, 5, np.float32(-1)) == 23
    assert x[3, 5] == -1
    for i, j, dim in ((4, 0, 0), (0, 6, 1), (-1, 0, 0)):
        with pytest.raises(
            UserError, match=rf"test.mlir:3:7: .*outside dimension {dim}"
        ):
            interpret(text, x, i, j, np.float32(0))


def test_subviews_of_subviews_share_memory() -> None:
    text = """
    func.func @f(%m: memref<4x6xf32>, %i: index, %v: f32) -> f32 {
      %a = memref.subview %m[%i, 1] [2, 4] [1, 1]
        : memref<4x6xf32> to memref<2x4xf32, strided<[6, 1], offset: ?>>
      %b = memref.subview %a[1, 0] [1, 2] [1, 2]
        : memref<2x4xf32, strided<[6, 1], offset: ?>>
        to memref<2xf32, strided<[2], offset: ?>>
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      memref.store %v, %b[%c1] : memref<2xf32, strided<[2], offset: ?>>
      %r = memref.load %m[%c3, %c3] : memref<4x6xf32>
      return %r : f32
    }"""
    x = X.copy()
    assert interpret(text, x, 2, np.float32(-5)) == -5
    assert x[3, 3] == -5
    with pytest.raises(
        UserError, match="test.mlir:3:7: .*out of bounds in dimension 0"
    ):
        interpret(text, x, 3, np.float32(0))


@settings(deadline=None, max_examples=examples(60))
@given(data=st.data())
def test_any_subview_is_numpys_window(data: st.DataObject) -> None:
    offsets = [data.draw(st.integers(0, size - 1)) for size in X.shape]
    strides = [data.draw(st.integers(1, 3)) for _ in X.shape]
    sizes = [
        data.draw(st.integers(0, 1 + (extent - 1 - offset) // stride))
        for extent, offset, stride in zip(X.shape, offsets, strides, strict=True)
    ]
    text = """
    func.func @f(%m: memref<4x6xf32>, %o0: index, %o1: index, %n0: index, %n1: index,
                 %s0: index, %s1: index)
        -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
      %r = memref.subview %m[%o0, %o1] [%n0, %n1] [%s0, %s1]
        : memref<4x6xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      return %r : memref<?x?xf32, strided<[?, ?], offset: ?>>
    }"""
    got = interpret(text, X, *offsets, *sizes, *strides)
    want = X[
        tuple(
            slice(offset, offset + size * stride, stride)
            for offset, size, stride in zip(offsets, sizes, strides, strict=True)
        )
    ]
    np.testing.assert_array_equal(got, want)


RESHAPES = """
func.func @f(%m: memref<4x6xf32, strided<[12, 2], offset: ?>>, %v: f32)
    -> (memref<2x2x6xf32, strided<[24, 12, 2], offset: ?>>,
        memref<24xf32, strided<[2], offset: ?>>) {
  %c1 = arith.constant 1 : index
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 6]
    : memref<4x6xf32, strided<[12, 2], offset: ?>>
    into memref<2x2x6xf32, strided<[24, 12, 2], offset: ?>>
  %c = memref.collapse_shape %m [[0, 1]]
    : memref<4x6xf32, strided<[12, 2], offset: ?>>
    into memref<24xf32, strided<[2], offset: ?>>
  memref.store %v, %e[%c1, %c1, %c1]
    : memref<2x2x6xf32, strided<[24, 12, 2], offset: ?>>
  return %e, %c : memref<2x2x6xf32, strided<[24, 12, 2], offset: ?>>,
    memref<24xf32, strided<[2], offset: ?>>
}"""


def test_reshapes_are_views_of_strided_memory() -> None:
    memory = np.arange(50, dtype=np.float32)
    m = memory[2:50:2].reshape(4, 6)
    assert m.base is memory
    before = m.copy()
    e, c = interpret(RESHAPES, m, np.float32(-7))
    before[3, 1] = -7
    np.testing.assert_array_equal(e, before.reshape(2, 2, 6))
    np.testing.assert_array_equal(c, before.reshape(24))
    np.testing.assert_array_equal(m, before)


def test_a_buffer_without_elements_collapses() -> None:
    collapsed = interpret(
        """func.func @f(%n: index) -> memref<?xf32> {
          %a = memref.alloc(%n) : memref<16x?xf32>
          %c = memref.collapse_shape %a [[0, 1]] : memref<16x?xf32> into memref<?xf32>
          return %c : memref<?xf32>
        }""",
        np.int64(0),
    )
    assert collapsed.shape == (0,)


def test_rows_with_gaps_do_not_collapse() -> None:
    wide = np.arange(60, dtype=np.float32)[2:50:2].reshape(2, 12)[:, :6]
    text = """
    func.func @f(%m: memref<2x6xf32, strided<[?, 2], offset: ?>>)
        -> memref<12xf32, strided<[2], offset: ?>> {
      %c = memref.collapse_shape %m [[0, 1]]
        : memref<2x6xf32, strided<[?, 2], offset: ?>>
        into memref<12xf32, strided<[2], offset: ?>>
      return %c : memref<12xf32, strided<[2], offset: ?>>
    }"""
    with pytest.raises(UserError, match="test.mlir:4:7: .*not contiguous in memory"):
        interpret(text, wide)
    dense = np.arange(24, dtype=np.float32)[::2].reshape(2, 6)
    np.testing.assert_array_equal(interpret(text, dense), dense.reshape(12))


def test_expand_shape_to_sizes_that_do_not_fit() -> None:
    text = """
    func.func @f(%m: memref<?xf32>, %n: index) -> memref<?x3xf32> {
      %e = memref.expand_shape %m [[0, 1]] output_shape [%n, 3]
        : memref<?xf32> into memref<?x3xf32>
      return %e : memref<?x3xf32>
    }"""
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(interpret(text, x, 2), x.reshape(2, 3))
    with pytest.raises(UserError, match=r"dimension 0 of 6 elements is no \[3, 3\]"):
        interpret(text, x, 3)


REINTERPRET = """
func.func @f(%m: memref<4x6xf32>, %o: index, %n: index, %s: index)
    -> memref<2x?xf32, strided<[?, 1], offset: ?>> {
  %v = memref.subview %m[1, 2] [2, 3] [1, 1]
    : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 8>>
  %r = memref.reinterpret_cast %v to offset: [%o], sizes: [2, %n], strides: [%s, 1]
    : memref<2x3xf32, strided<[6, 1], offset: 8>>
    to memref<2x?xf32, strided<[?, 1], offset: ?>>
  return %r : memref<2x?xf32, strided<[?, 1], offset: ?>>
}"""


def test_reinterpret_cast_counts_from_the_start_of_the_memory() -> None:
    got = interpret(REINTERPRET, X, 1, 4, 7)
    np.testing.assert_array_equal(got, [X.ravel()[1:5], X.ravel()[8:12]])
    with pytest.raises(
        UserError, match="test.mlir:6:3: .*of an allocation of 96 bytes"
    ):
        interpret(REINTERPRET, X, 1, 4, 20)
    with pytest.raises(UserError, match="reaches from byte -4"):
        interpret(REINTERPRET, X, -1, 4, 1)


def test_reinterpret_cast_of_an_argument_inside_of_a_larger_array() -> None:
    text = """
    func.func @f(%m: memref<6xf32>) -> memref<3xf32, strided<[2]>> {
      %r = memref.reinterpret_cast %m to offset: [0], sizes: [3], strides: [2]
        : memref<6xf32> to memref<3xf32, strided<[2]>>
      return %r : memref<3xf32, strided<[2]>>
    }"""
    np.testing.assert_array_equal(interpret(text, X[2]), X[2, ::2])


def test_metadata_puts_a_buffer_together_again() -> None:
    text = """
    func.func @f(%m: memref<4x6xf32>, %i: index)
        -> (memref<?x?xf32, strided<[?, ?], offset: ?>>, index) {
      %v = memref.subview %m[%i, 1] [2, 3] [2, 2]
        : memref<4x6xf32> to memref<2x3xf32, strided<[12, 2], offset: ?>>
      %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v
        : memref<2x3xf32, strided<[12, 2], offset: ?>>
        -> memref<f32>, index, index, index, index, index
      %r = memref.reinterpret_cast %base to offset: [%offset],
        sizes: [%sizes#0, %sizes#1], strides: [%strides#0, %strides#1]
        : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      return %r, %offset : memref<?x?xf32, strided<[?, ?], offset: ?>>, index
    }"""
    r, offset = interpret(text, X, 1)
    assert offset == 7
    np.testing.assert_array_equal(r, X[1:4:2, 1:6:2])


def test_transpose_and_casts_share_memory() -> None:
    text = """
    func.func @f(%m: memref<4x6xf32>, %v: f32) -> memref<6x4xf32, strided<[1, 6]>> {
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %t = memref.transpose %m (i, j) -> (j, i)
        : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
      %s = memref.memory_space_cast %t
        : memref<6x4xf32, strided<[1, 6]>> to memref<6x4xf32, strided<[1, 6]>, 3>
      %a = memref.assume_alignment %s, 4 : memref<6x4xf32, strided<[1, 6]>, 3>
      memref.store %v, %a[%c5, %c1] : memref<6x4xf32, strided<[1, 6]>, 3>
      return %t : memref<6x4xf32, strided<[1, 6]>>
    }"""
    x = X.copy()
    got = interpret(text, x, np.float32(-1))
    assert x[1, 5] == -1
    np.testing.assert_array_equal(got, x.T)


CAST = """
func.func @f(%m: memref<?x6xf32>) -> memref<4x6xf32> {
  %u = memref.cast %m : memref<?x6xf32> to memref<*xf32>
  %r = memref.cast %u : memref<*xf32> to memref<4x6xf32>
  return %r : memref<4x6xf32>
}"""


def test_cast_asserts_sizes_and_rank() -> None:
    np.testing.assert_array_equal(interpret(CAST, X), X)
    with pytest.raises(UserError, match=r"test.mlir:4:3: .*shape \[3, 6\] is cast"):
        interpret(CAST, X[:3])
    other = CAST.replace("memref<4x6xf32>", "memref<24xf32>")
    with pytest.raises(UserError, match="rank 2 is cast to 'memref<24xf32>'"):
        interpret(other, X)


def test_view_reads_bytes() -> None:
    text = """
    func.func @f(%b: memref<?xi8>, %shift: index, %n: index, %v: bf16)
        -> memref<?x2xbf16> {
      %c0 = arith.constant 0 : index
      %r = memref.view %b[%shift][%n] : memref<?xi8> to memref<?x2xbf16>
      memref.store %v, %r[%c0, %c0] : memref<?x2xbf16>
      return %r : memref<?x2xbf16>
    }"""
    raw = np.arange(20, dtype=np.int8)
    value = np.array(1.5, ml_dtypes.bfloat16)
    got = interpret(text, raw, 4, 3, value)
    assert got.shape == (3, 2) and got[0, 0] == 1.5
    np.testing.assert_array_equal(raw[4:6].view(ml_dtypes.bfloat16), [1.5])
    np.testing.assert_array_equal(
        got.reshape(-1)[1:].view(np.uint8), np.arange(6, 16, dtype=np.uint8)
    )
    with pytest.raises(UserError, match="16 bytes from byte 8 on leave the 20"):
        interpret(text, raw, 8, 4, value)
