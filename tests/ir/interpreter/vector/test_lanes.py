"""Shapes and lanes of vectors, and vectors straight from and to buffers."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import apply, interpret
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError

V = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def one(op: str, *inputs: object, types: str, result: str) -> np.ndarray:
    return apply(op, *inputs, types=types, result=result)


@pytest.mark.parametrize(
    ("source", "result"),
    [((), (2, 3)), ((4,), (3, 4)), ((3, 1), (2, 3, 4)), ((1, 1), (1, 5)), ((2,), (2,))],
)
def test_broadcast(source: tuple[int, ...], result: tuple[int, ...]) -> None:
    x = np.arange(np.prod(source, dtype=int), dtype=np.float32).reshape(source)
    kind = f"vector<{'x'.join([*map(str, source), 'f32'])}>"
    wide = f"vector<{'x'.join([*map(str, result), 'f32'])}>"
    got = one(f"vector.broadcast %a0 : {kind} to {wide}", x, types=kind, result=wide)
    np.testing.assert_array_equal(got, np.broadcast_to(x, result))


def test_broadcast_of_an_index_and_of_narrow_floats() -> None:
    got = one(
        "vector.broadcast %a0 : index to vector<3xindex>",
        7,
        types="index",
        result="vector<3xindex>",
    )
    np.testing.assert_array_equal(got, [7, 7, 7])
    got = one(
        "vector.broadcast %a0 : bf16 to vector<2xbf16>",
        np.array(1.5, ml_dtypes.bfloat16),
        types="bf16",
        result="vector<2xbf16>",
    )
    assert got.dtype == ml_dtypes.bfloat16 and (got == 1.5).all()


def test_transpose_of_rank_three() -> None:
    got = one(
        "vector.transpose %a0, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>",
        V,
        types="vector<2x3x4xf32>",
        result="vector<4x2x3xf32>",
    )
    np.testing.assert_array_equal(got, V.transpose(2, 0, 1))


def test_shape_cast_of_a_transposed_vector_is_row_major() -> None:
    text = """
    func.func @f(%v: vector<2x3x4xf32>) -> (vector<6x4xf32>, vector<f32>) {
      %t = vector.transpose %v, [2, 1, 0] : vector<2x3x4xf32> to vector<4x3x2xf32>
      %r = vector.shape_cast %t : vector<4x3x2xf32> to vector<6x4xf32>
      %e = vector.extract %v[0, 0] : vector<4xf32> from vector<2x3x4xf32>
      %s = vector.extract_strided_slice %e {offsets = [3], sizes = [1], strides = [1]}
        : vector<4xf32> to vector<1xf32>
      %z = vector.shape_cast %s : vector<1xf32> to vector<f32>
      return %r, %z : vector<6x4xf32>, vector<f32>
    }"""
    r, z = interpret(text, V)
    np.testing.assert_array_equal(r, V.transpose(2, 1, 0).reshape(6, 4))
    assert z == 3


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("4xf32", "8xf16"),
        ("8xbf16", "2xf64"),
        ("16xi8", "4xi32"),
        ("4xf32", "4xi32"),
        ("16xf8E5M2", "8xbf16"),
    ],
)
def test_bitcast_keeps_the_bytes(source: str, target: str) -> None:
    raw = np.random.default_rng(0).integers(0, 256, (3, 16), dtype=np.uint8)
    x = raw.view(numpy_dtype(source.partition("x")[2]))
    kind, wide = f"vector<3x{source}>", f"vector<3x{target}>"
    got = one(f"vector.bitcast %a0 : {kind} to {wide}", x, types=kind, result=wide)
    assert got.dtype == numpy_dtype(target.partition("x")[2])
    np.testing.assert_array_equal(np.ascontiguousarray(got).view(np.uint8), raw)


def test_bitcast_packs_bits() -> None:
    bits = np.bool_([[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0, 0, 1]])
    kinds = "vector<2x8xi1>", "vector<2x1xi8>"
    packed = one(
        f"vector.bitcast %a0 : {kinds[0]} to {kinds[1]}",
        bits,
        types=kinds[0],
        result=kinds[1],
    )
    np.testing.assert_array_equal(packed, np.int8([[1], [-122]]))
    back = one(
        f"vector.bitcast %a0 : {kinds[1]} to {kinds[0]}",
        packed,
        types=kinds[1],
        result=kinds[0],
    )
    np.testing.assert_array_equal(back, bits)


EXTRACT = """
func.func @f(%v: vector<2x3x4xf32>, %i: index)
    -> (vector<4xf32>, f32, vector<2x3x4xf32>) {
  %a = vector.extract %v[1, %i] : vector<4xf32> from vector<2x3x4xf32>
  %b = vector.extract %v[%i, 0, 3] : f32 from vector<2x3x4xf32>
  %c = vector.extract %v[] : vector<2x3x4xf32> from vector<2x3x4xf32>
  return %a, %b, %c : vector<4xf32>, f32, vector<2x3x4xf32>
}"""


def test_extract() -> None:
    a, b, c = interpret(EXTRACT, V, 1)
    np.testing.assert_array_equal(a, V[1, 1])
    assert b == V[1, 0, 3]
    np.testing.assert_array_equal(c, V)


def test_extract_past_the_end() -> None:
    with pytest.raises(UserError, match=r"test.mlir:4:3: .*dimension 1.*offset 3"):
        interpret(EXTRACT, V, 3)


INSERT = """
func.func @f(%v: vector<2x3x4xf32>, %r: vector<4xf32>, %s: f32, %i: index)
    -> (vector<2x3x4xf32>, vector<2x3x4xf32>) {
  %a = vector.insert %r, %v [1, %i] : vector<4xf32> into vector<2x3x4xf32>
  %b = vector.insert %s, %a [%i, 0, 3] : f32 into vector<2x3x4xf32>
  return %b, %v : vector<2x3x4xf32>, vector<2x3x4xf32>
}"""


def test_insert_copies() -> None:
    row = np.full(4, -1, np.float32)
    got, kept = interpret(INSERT, V, row, np.float32(9), 1)
    want = V.copy()
    want[1, 1], want[1, 0, 3] = row, 9
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(kept, V)
    with pytest.raises(UserError, match="out of bounds in dimension 1"):
        interpret(INSERT, V, row, np.float32(9), 3)


def test_slices() -> None:
    text = """
    func.func @f(%v: vector<2x3x4xf32>, %b: vector<2x2xf32>)
        -> (vector<1x2x4xf32>, vector<2x3x4xf32>) {
      %a = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [1, 2],
        strides = [1, 1]} : vector<2x3x4xf32> to vector<1x2x4xf32>
      %c = vector.insert_strided_slice %b, %v {offsets = [1, 1, 2], strides = [1, 1]}
        : vector<2x2xf32> into vector<2x3x4xf32>
      return %a, %c : vector<1x2x4xf32>, vector<2x3x4xf32>
    }"""
    block = np.full((2, 2), -1, np.float32)
    a, c = interpret(text, V, block)
    np.testing.assert_array_equal(a, V[1:2, 1:3])
    want = V.copy()
    want[1, 1:3, 2:4] = block
    np.testing.assert_array_equal(c, want)


def test_elements_there_and_back() -> None:
    text = """
    func.func @f(%a: i32, %b: i32) -> (vector<2x2xi32>, i32, vector<i32>) {
      %v = vector.from_elements %a, %b, %b, %a : vector<2x2xi32>
      %e:4 = vector.to_elements %v : vector<2x2xi32>
      %z = vector.from_elements %e#1 : vector<i32>
      return %v, %e#2, %z : vector<2x2xi32>, i32, vector<i32>
    }"""
    v, e, z = interpret(text, np.int32(3), np.int32(4))
    np.testing.assert_array_equal(v, [[3, 4], [4, 3]])
    assert (e, z) == (4, 4)
    assert v.dtype == np.int32


def test_shuffles() -> None:
    text = """
    func.func @f(%a: vector<2x3xf32>, %b: vector<1x3xf32>, %z: vector<f32>)
        -> (vector<4x3xf32>, vector<2xf32>, vector<2x6xf32>, vector<2x3xf32>) {
      %s = vector.shuffle %a, %b [2, 0, 0, 1] : vector<2x3xf32>, vector<1x3xf32>
      %t = vector.shuffle %z, %z [1, 0] : vector<f32>, vector<f32>
      %i = vector.interleave %a, %a : vector<2x3xf32> -> vector<2x6xf32>
      %e, %o = vector.deinterleave %i : vector<2x6xf32> -> vector<2x3xf32>
      return %s, %t, %i, %o
        : vector<4x3xf32>, vector<2xf32>, vector<2x6xf32>, vector<2x3xf32>
    }"""
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    b = np.full((1, 3), -1, np.float32)
    s, t, i, o = interpret(text, a, b, np.array(7, np.float32))
    np.testing.assert_array_equal(s, [b[0], a[0], a[0], a[1]])
    np.testing.assert_array_equal(t, [7, 7])
    np.testing.assert_array_equal(i, np.repeat(a, 2, axis=1))
    np.testing.assert_array_equal(o, a)


def test_step_and_fma() -> None:
    text = """
    func.func @f(%a: vector<3xf16>) -> (vector<3xindex>, vector<3xf16>) {
      %s = vector.step : vector<3xindex>
      %f = vector.fma %a, %a, %a : vector<3xf16>
      return %s, %f : vector<3xindex>, vector<3xf16>
    }"""
    a = np.float16([0.1, 3, -7])
    s, f = interpret(text, a)
    np.testing.assert_array_equal(s, [0, 1, 2])
    wide = a.astype(np.float64)
    np.testing.assert_array_equal(f, (wide * wide + wide).astype(np.float16))


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    text = """
    func.func @f(%v: vector<2x2xf32>, %i: i64) {
      vector.print %v : vector<2x2xf32>
      vector.print %i : i64 punctuation <comma>
      vector.print str "text"
      return
    }"""
    interpret(text, np.float32([[1, 2.5], [-3, 1e9]]), np.int64(-4))
    printed = capsys.readouterr().out
    assert printed == "( ( 1, 2.5 ), ( -3, 1e+09 ) )\n-4, text\n"


MEMORY = """
func.func @f(%x: memref<4x5xf32>, %i: index, %j: index) -> vector<2x3xf32> {
  %v = vector.load %x[%i, %j] : memref<4x5xf32>, vector<2x3xf32>
  %r = vector.load %x[%i, %j] : memref<4x5xf32>, vector<3xf32>
  %z = vector.load %x[%i, %j] : memref<4x5xf32>, vector<f32>
  %n = arith.negf %v : vector<2x3xf32>
  vector.store %n, %x[%i, %j] : memref<4x5xf32>, vector<2x3xf32>
  %c0 = arith.constant 0 : index
  vector.store %r, %x[%c0, %c0] : memref<4x5xf32>, vector<3xf32>
  vector.store %z, %x[%c0, %j] : memref<4x5xf32>, vector<f32>
  return %v : vector<2x3xf32>
}"""
X = 1 + np.arange(20, dtype=np.float32).reshape(4, 5)


def test_load_and_store() -> None:
    x = X.copy()
    np.testing.assert_array_equal(interpret(MEMORY, x, 2, 1), X[2:4, 1:4])
    want = X.copy()
    want[2:4, 1:4] *= -1
    want[0, :3] = X[2, 1:4]
    want[0, 1] = X[2, 1]
    np.testing.assert_array_equal(x, want)


@pytest.mark.parametrize(("i", "j"), [(3, 0), (0, 3), (-1, 0)])
def test_load_out_of_bounds(i: int, j: int) -> None:
    with pytest.raises(UserError, match=r"test.mlir:3:3: .*out of bounds"):
        interpret(MEMORY, X.copy(), i, j)


MASKED = """
func.func @f(%x: memref<4x5xf32>, %i: index, %j: index, %m: vector<2x3xi1>,
             %p: vector<2x3xf32>) -> vector<2x3xf32> {
  %v = vector.maskedload %x[%i, %j], %m, %p
    : memref<4x5xf32>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>
  vector.maskedstore %x[%i, %j], %m, %p
    : memref<4x5xf32>, vector<2x3xi1>, vector<2x3xf32>
  return %v : vector<2x3xf32>
}"""


@settings(deadline=None, max_examples=examples(60))
@given(i=st.integers(-2, 5), j=st.integers(-2, 6), seed=st.integers(0, 99))
def test_masked_load_and_store(i: int, j: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((2, 3)) < 0.4
    passed = -np.arange(6, dtype=np.float32).reshape(2, 3)
    x, after, want = X.copy(), X.copy(), passed.copy()
    is_outside = False
    for a, b in zip(*np.nonzero(mask), strict=True):
        if not (0 <= i + a < 4 and 0 <= j + b < 5):
            is_outside = True
            continue
        want[a, b] = X[i + a, j + b]
        after[i + a, j + b] = passed[a, b]
    if is_outside:
        with pytest.raises(UserError, match="is outside dimension"):
            interpret(MASKED, x, i, j, mask, passed)
        return
    np.testing.assert_array_equal(interpret(MASKED, x, i, j, mask, passed), want)
    np.testing.assert_array_equal(x, after)


GATHER = """
func.func @f(%x: memref<4x5xf32>, %t: tensor<5xf32>, %at: vector<4xi32>,
             %m: vector<4xi1>, %p: vector<4xf32>) -> (vector<4xf32>, tensor<5xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = vector.gather %x[%c2, %c1] [%at], %m, %p
    : memref<4x5xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %x[%c1, %c1] [%at], %m, %p
    : memref<4x5xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %r = vector.scatter %t[%c1] [%at], %m, %p
    : tensor<5xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<5xf32>
  return %v, %r : vector<4xf32>, tensor<5xf32>
}"""


def test_gather_and_scatter() -> None:
    at, mask = np.int32([3, 9, -1, 3]), np.bool_([1, 0, 1, 1])
    passed = np.float32([-1, -2, -3, -4])
    x, t = X.copy(), X[0]
    v, r = interpret(GATHER, x, t, at, mask, passed)
    np.testing.assert_array_equal(v, [X[2, 4], -2, X[2, 0], X[2, 4]])
    want = X.copy()
    want[1, 0], want[1, 4] = -3, -4
    np.testing.assert_array_equal(x, want)
    np.testing.assert_array_equal(r, [-3, X[0, 1], X[0, 2], X[0, 3], -4])
    np.testing.assert_array_equal(t, X[0])
    with pytest.raises(UserError, match="index 4 is outside dimension 0"):
        interpret(GATHER, x, t, at, np.bool_([1, 1, 1, 1]), passed)


def test_gather_under_a_mask() -> None:
    text = """
    func.func @f(%x: tensor<5xf32>, %at: vector<3xindex>, %m: vector<3xi1>,
                 %n: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
      %c0 = arith.constant 0 : index
      %v = vector.mask %n { vector.gather %x[%c0] [%at], %m, %p : tensor<5xf32>,
        vector<3xindex>, vector<3xi1>, vector<3xf32> into vector<3xf32> }
        : vector<3xi1> -> vector<3xf32>
      return %v : vector<3xf32>
    }"""
    masks = np.bool_([1, 1, 0]), np.bool_([1, 0, 1])
    got = interpret(text, X[0], np.int64([4, 0, 0]), *masks, np.float32([-1, -2, -3]))
    np.testing.assert_array_equal(got, [X[0, 4], -2, -3])


def test_packed_lanes() -> None:
    text = """
    func.func @f(%x: memref<4x5xf32>, %m: vector<4xi1>, %p: vector<4xf32>)
        -> vector<4xf32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %v = vector.expandload %x[%c1, %c2], %m, %p
        : memref<4x5xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.compressstore %x[%c2, %c2], %m, %p
        : memref<4x5xf32>, vector<4xi1>, vector<4xf32>
      return %v : vector<4xf32>
    }"""
    x, passed = X.copy(), np.float32([-1, -2, -3, -4])
    got = interpret(text, x, np.bool_([0, 1, 0, 1]), passed)
    np.testing.assert_array_equal(got, [-1, X[1, 2], -3, X[1, 3]])
    want = X.copy()
    want[2, 2:4] = -2, -4
    np.testing.assert_array_equal(x, want)
    with pytest.raises(UserError, match="index 5 is outside dimension 1"):
        interpret(text, x, np.ones(4, np.bool_), passed)


def test_gather_from_one_element() -> None:
    text = """
    func.func @f(%x: tensor<f32>, %at: vector<3xindex>) -> vector<3xf32> {
      %m = arith.constant dense<[true, false, true]> : vector<3xi1>
      %p = arith.constant dense<7.0> : vector<3xf32>
      %v = vector.gather %x[] [%at], %m, %p : tensor<f32>, vector<3xindex>,
        vector<3xi1>, vector<3xf32> into vector<3xf32>
      return %v : vector<3xf32>
    }
    """
    got = interpret(text, np.array(2, np.float32), np.zeros(3, np.int64))
    np.testing.assert_array_equal(got, [2, 7, 2])
