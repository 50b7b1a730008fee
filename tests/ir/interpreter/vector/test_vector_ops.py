"""Transfers, masks, contractions and reductions on vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import apply, interpret
from tilewright.ir.errors import UserError

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def reading(transfer: str, vector: str, source: str = "tensor<3x4xf32>") -> str:
    return f"""
    func.func @f(%x: {source}, %i: index, %j: index, %m: vector<2x4xi1>) -> {vector} {{
      %pad = arith.constant -1.0 : f32
      %v = vector.transfer_read %x[%i, %j], %pad{transfer} : {source}, {vector}
      return %v : {vector}
    }}"""


ON = np.ones((2, 4), np.bool_)


def test_read_in_bounds() -> None:
    text = reading(" {in_bounds = [true, true]}", "vector<2x3xf32>")
    np.testing.assert_array_equal(interpret(text, X, 1, 1, ON), X[1:3, 1:4])


def test_read_past_the_end_is_padding() -> None:
    text = reading("", "vector<2x4xf32>")
    want = np.full((2, 4), -1, np.float32)
    want[:1, :3] = X[2:3, 1:4]
    np.testing.assert_array_equal(interpret(text, X, 2, 1, ON), want)


def test_read_wholly_outside_is_padding() -> None:
    text = reading("", "vector<2x4xf32>")
    np.testing.assert_array_equal(interpret(text, X, 7, 9, ON), np.full((2, 4), -1))


def test_read_that_breaks_its_promise_is_refused() -> None:
    text = reading(" {in_bounds = [true, true]}", "vector<2x4xf32>")
    with pytest.raises(UserError, match=r"test.mlir:4:\d+: .*declared in bounds"):
        interpret(text, X, 2, 0, ON)


def test_mask_excuses_lanes_outside() -> None:
    text = reading(", %m {in_bounds = [true, true]}", "vector<2x4xf32>")
    mask = ON.copy()
    mask[1] = False
    want = np.full((2, 4), -1, np.float32)
    want[0] = X[2]
    np.testing.assert_array_equal(interpret(text, X, 2, 0, mask), want)
    with pytest.raises(UserError, match="declared in bounds"):
        interpret(text, X, 2, 0, ON)


def test_read_permutes_and_broadcasts() -> None:
    permuted = "permutation_map = affine_map<(d0, d1) -> (d1, d0)>"
    text = reading(f" {{in_bounds = [true, true], {permuted}}}", "vector<4x3xf32>")
    np.testing.assert_array_equal(interpret(text, X, 0, 0, ON), X.T)
    spread = "permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>"
    text = reading(
        f" {{in_bounds = [true, true, true], {spread}}}", "vector<4x5x3xf32>"
    )
    want = np.broadcast_to(X.T[:, None], (4, 5, 3))
    np.testing.assert_array_equal(interpret(text, X, 0, 0, ON), want)
    row = "permutation_map = affine_map<(d0, d1) -> (d1)>"
    text = reading(f" {{in_bounds = [true], {row}}}", "vector<4xf32>")
    np.testing.assert_array_equal(interpret(text, X, 2, 0, ON), X[2])
    with pytest.raises(UserError, match="index 3 is outside dimension 0"):
        interpret(text, X, 3, 0, ON)


def test_mask_is_in_the_source_order() -> None:
    permuted = "permutation_map = affine_map<(d0, d1) -> (d1, d0)>"
    text = reading(f", %m {{in_bounds = [true, true], {permuted}}}", "vector<4x2xf32>")
    mask = np.array([[1, 1, 0, 0], [1, 0, 0, 1]], np.bool_)
    want = np.where(mask, X[:2], -1).T
    np.testing.assert_array_equal(interpret(text, X, 0, 0, mask), want)


def test_a_vector_read_from_a_buffer_is_a_value() -> None:
    text = """
    func.func @f(%x: memref<3x4xf32>, %y: vector<3x4xf32>) -> vector<3x4xf32> {
      %c0 = arith.constant 0 : index
      %pad = ub.poison : f32
      %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]}
        : memref<3x4xf32>, vector<3x4xf32>
      vector.transfer_write %y, %x[%c0, %c0] {in_bounds = [true, true]}
        : vector<3x4xf32>, memref<3x4xf32>
      return %v : vector<3x4xf32>
    }"""
    buffer = X.copy()
    np.testing.assert_array_equal(interpret(text, buffer, -X), X)
    np.testing.assert_array_equal(buffer, -X)


def test_masked_write_keeps_what_is_off() -> None:
    text = """
    func.func @f(%v: vector<2x4xf32>, %x: tensor<3x4xf32>, %m: vector<2x4xi1>,
                 %i: index) -> tensor<3x4xf32> {
      %c0 = arith.constant 0 : index
      %r = vector.transfer_write %v, %x[%i, %c0], %m {in_bounds = [false, true]}
        : vector<2x4xf32>, tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }"""
    mask = np.array([[1, 1, 0, 0], [1, 1, 1, 1]], np.bool_)
    value = np.full((2, 4), 9, np.float32)
    want = X.copy()
    want[2, :2] = 9
    np.testing.assert_array_equal(interpret(text, value, X, mask, 2), want)


def test_write_permutes() -> None:
    text = """
    func.func @f(%v: vector<4x3xf32>, %x: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %c0 = arith.constant 0 : index
      %r = vector.transfer_write %v, %x[%c0, %c0] {in_bounds = [true, true],
        permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
        : vector<4x3xf32>, tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }"""
    value = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(interpret(text, value, X), value.T)


CONTRACT = """vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
    affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %a, %b, %c : vector<3x5xf16>, vector<5x4xf16> into vector<4x3xf32>"""
CONTRACT_ARGS = "%a: vector<3x5xf16>, %b: vector<5x4xf16>, %c: vector<4x3xf32>"


def contract_inputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(np.float16) for s in ((3, 5), (5, 4)))
    return a, b, rng.standard_normal((4, 3)).astype(np.float32)


def test_contract_into_a_transposed_accumulator() -> None:
    a, b, c = contract_inputs()
    text = f"""func.func @f({CONTRACT_ARGS}) -> vector<4x3xf32> {{
      %r = {CONTRACT}
      return %r : vector<4x3xf32>
    }}"""
    want = c + (a.astype(np.float32) @ b.astype(np.float32)).T
    np.testing.assert_allclose(interpret(text, a, b, c), want, rtol=1e-5)


MASKED_CONTRACT = f"""
    func.func @f({CONTRACT_ARGS}, %mask: vector<3x4x5xi1>) -> vector<4x3xf32> {{
      %r = vector.mask %mask {{ {CONTRACT} }} : vector<3x4x5xi1> -> vector<4x3xf32>
      return %r : vector<4x3xf32>
    }}"""


@settings(deadline=None, max_examples=examples(30))
@given(box=st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 5)))
def test_contract_under_a_box(box: tuple[int, int, int]) -> None:
    a, b, c = contract_inputs()
    m, n, k = box
    mask = np.zeros((3, 4, 5), np.bool_)
    mask[:m, :n, :k] = True
    # What is off is poison, and must not reach the result.
    a[m:], a[:, k:], b[k:], b[:, n:] = (np.nan,) * 4
    want = c.copy()
    part = a[:m, :k].astype(np.float32) @ b[:k, :n].astype(np.float32)
    want[:n, :m] += part.T
    got = interpret(MASKED_CONTRACT, a, b, c, mask)
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_contract_under_any_mask() -> None:
    a, b, c = contract_inputs()
    mask = np.random.default_rng(1).integers(0, 2, (3, 4, 5)).astype(np.bool_)
    wide = [v.astype(np.float32) for v in (a, b)]
    want = c + np.einsum("mk,kn,mnk->nm", *wide, mask)
    got = interpret(MASKED_CONTRACT, a, b, c, mask)
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "function"),
    [("add", np.sum), ("mul", np.prod), ("maximumf", np.max), ("minnumf", np.min)],
)
def test_multi_reduction(kind: str, function: object) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 4, 5)).astype(np.float32)
    acc = rng.standard_normal(4).astype(np.float32)
    op = (
        f"vector.multi_reduction <{kind}>, %a0, %a1 [0, 2] "
        ": vector<3x4x5xf32> to vector<4xf32>"
    )
    kinds = {"types": "vector<3x4x5xf32>, vector<4xf32>", "result": "vector<4xf32>"}
    got = apply(op, x, acc, **kinds)
    both = np.concatenate([x.transpose(1, 0, 2).reshape(4, -1), acc[:, None]], axis=1)
    np.testing.assert_allclose(got, function(both, axis=1), rtol=1e-5)  # type: ignore


def test_masked_multi_reduction_ignores_poison() -> None:
    text = """
    func.func @f(%x: vector<2x4xf32>, %acc: vector<2xf32>, %n: index) -> vector<2xf32> {
      %c2 = arith.constant 2 : index
      %m = vector.create_mask %c2, %n : vector<2x4xi1>
      %r = vector.mask %m {
        vector.multi_reduction <maximumf>, %x, %acc [1]
          : vector<2x4xf32> to vector<2xf32>
      } : vector<2x4xi1> -> vector<2xf32>
      return %r : vector<2xf32>
    }"""
    x = np.float32([[1, 5, np.nan, np.nan], [7, 2, np.nan, np.nan]])
    acc = np.float32([2, 3])
    np.testing.assert_array_equal(interpret(text, x, acc, 2), [5, 7])
    np.testing.assert_array_equal(interpret(text, x, acc, 0), acc)
    np.testing.assert_array_equal(interpret(text, x, acc, 9), [np.nan, np.nan])


def test_shapes() -> None:
    x = np.arange(6, dtype=np.float32)
    text = """
    func.func @f(%x: vector<6xf32>, %s: f32)
        -> (vector<3x2xf32>, vector<2x6xf32>, vector<2xf32>) {
      %a = vector.shape_cast %x : vector<6xf32> to vector<2x3xf32>
      %b = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
      %c = vector.broadcast %x : vector<6xf32> to vector<2x6xf32>
      %d = vector.broadcast %s : f32 to vector<2xf32>
      return %b, %c, %d : vector<3x2xf32>, vector<2x6xf32>, vector<2xf32>
    }"""
    b, c, d = interpret(text, x, 4.0)
    np.testing.assert_array_equal(b, x.reshape(2, 3).T)
    np.testing.assert_array_equal(c, [x, x])
    np.testing.assert_array_equal(d, [4, 4])


def test_broadcast_products_stay_lazy_and_right() -> None:
    text = """
    func.func @f(%a: tensor<8x4xf16>, %b: tensor<4x8xf16>, %c: vector<8x8xf32>)
        -> vector<8x8xf32> {
      %c0 = arith.constant 0 : index
      %pad = arith.constant 0.0 : f16
      %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true, true],
        permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>}
        : tensor<8x4xf16>, vector<8x8x4xf16>
      %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true, true],
        permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>}
        : tensor<4x8xf16>, vector<8x8x4xf16>
      %xw = arith.extf %x : vector<8x8x4xf16> to vector<8x8x4xf32>
      %yw = arith.extf %y : vector<8x8x4xf16> to vector<8x8x4xf32>
      %p = arith.mulf %xw, %yw : vector<8x8x4xf32>
      %r = vector.multi_reduction <add>, %p, %c [2]
        : vector<8x8x4xf32> to vector<8x8xf32>
      return %r : vector<8x8xf32>
    }"""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(np.float16) for s in ((8, 4), (4, 8)))
    c = np.ones((8, 8), np.float32)
    want = c + a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_allclose(interpret(text, a, b, c), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f(%v: vector<[4]xf32>) {\n  return\n}",
        "func.func @f(%s: f32) {\n"
        "  %v = vector.broadcast %s : f32 to vector<2x[4]xf32>\n  return\n}",
    ],
)
def test_scalable_vectors_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="Triton has no scalable vectors"):
        interpret(text, np.zeros(4, np.float32))
