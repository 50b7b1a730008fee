"""Buffers: views of one memory, what lies outside of it, and what was given back."""

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
    memref.global "private" @elsewhere : memref<2xf32>
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
