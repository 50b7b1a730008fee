"""Contractions and outer products of vectors, against their definition."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import apply, interpret
from support.ir.vectors import FLOATS, INTEGERS, Combine, shaped
from tilewright.ir.dtypes import numpy_dtype


@dataclass(frozen=True)
class Contraction:
    """Loops with extents; which operand has which, in which order."""

    extents: tuple[int, ...]
    reduced: tuple[bool, ...]
    dims: tuple[tuple[int, ...], ...]
    """The loops of lhs, rhs and accumulator."""
    seed: int

    def shape(self, operand: int) -> tuple[int, ...]:
        return tuple(self.extents[loop] for loop in self.dims[operand])

    def op(self, kind: str, narrow: str, wide: str) -> str:
        loops = [f"d{loop}" for loop in range(len(self.extents))]
        maps = ", ".join(
            f"affine_map<({', '.join(loops)}) -> "
            f"({', '.join(loops[loop] for loop in dims)})>"
            for dims in self.dims
        )
        kinds = ", ".join(
            '"reduction"' if is_reduced else '"parallel"' for is_reduced in self.reduced
        )
        lhs, rhs = (shaped(self.shape(operand), narrow) for operand in range(2))
        return (
            f"vector.contract {{indexing_maps = [{maps}], iterator_types = [{kinds}], "
            f"kind = #vector.kind<{kind}>}} %a, %b, %c "
            f": {lhs}, {rhs} into {shaped(self.shape(2), wide)}"
        )

    def text(self, kind: str, narrow: str, wide: str, *, masked: bool) -> str:
        kinds = [
            shaped(self.shape(operand), narrow if operand < 2 else wide)
            for operand in range(3)
        ]
        mask = shaped(self.extents, "i1")
        op = self.op(kind, narrow, wide)
        body = f"vector.mask %m {{ {op} }} : {mask} -> {kinds[2]}" if masked else op
        return f"""
        func.func @f(%a: {kinds[0]}, %b: {kinds[1]}, %c: {kinds[2]}, %m: {mask})
            -> {kinds[2]} {{
          %r = {body}
          return %r : {kinds[2]}
        }}"""

    def loop(
        self, combine: Combine, a: np.ndarray, b: np.ndarray, c: Any, mask: np.ndarray
    ) -> np.ndarray:
        """The definition, one product after the other."""
        result = np.array(c)
        for point in np.ndindex(self.extents):
            if mask[point]:
                left, right, at = (
                    tuple(point[loop] for loop in dims) for dims in self.dims
                )
                result[at] = combine(result[at], a[left] * b[right])
        return result


@st.composite
def contractions(draw: st.DrawFn) -> Contraction:
    # A loop is of the batch, of one factor, or of both and reduced.
    role = st.sampled_from(["batch", "left", "right", "sum"])
    roles = draw(st.permutations([*draw(st.lists(role, max_size=3)), "sum"]))
    extents = tuple(draw(st.integers(1, 4)) for _ in roles)
    has = {"batch": (1, 1, 1), "left": (1, 0, 1), "right": (0, 1, 1), "sum": (1, 1, 0)}
    dims: list[tuple[int, ...]] = []
    for operand in range(3):
        loops = [loop for loop, name in enumerate(roles) if has[name][operand]]
        dims.append(tuple(draw(st.permutations(loops))))
    reduced = tuple(role == "sum" for role in roles)
    return Contraction(extents, reduced, tuple(dims), draw(st.integers(0, 2**16)))


@settings(deadline=None, max_examples=examples(80))
@given(case=contractions(), kind=st.sampled_from(sorted(FLOATS)), masked=st.booleans())
def test_contract_is_its_definition(case: Contraction, kind: str, masked: bool) -> None:
    rng = np.random.default_rng(case.seed)
    a = rng.standard_normal(case.shape(0)).astype(np.float32)
    b = rng.standard_normal(case.shape(1)).astype(np.float32)
    c = rng.standard_normal(case.shape(2)).astype(np.float32)
    if kind not in ("add", "mul"):
        a.reshape(-1)[rng.integers(a.size)] = np.nan
    mask = rng.random(case.extents) < (0.7 if masked else 2)
    got = interpret(case.text(kind, "f32", "f32", masked=masked), a, b, c, mask)
    want = case.loop(FLOATS[kind], a, b, c, mask)
    np.testing.assert_allclose(got, want, rtol=2e-4, atol=1e-5)


@settings(deadline=None, max_examples=examples(60))
@given(
    case=contractions(), kind=st.sampled_from(sorted(INTEGERS)), masked=st.booleans()
)
def test_contract_of_integers(case: Contraction, kind: str, masked: bool) -> None:
    rng = np.random.default_rng(case.seed)
    a = rng.integers(-128, 128, case.shape(0)).astype(np.int8)
    b = rng.integers(-128, 128, case.shape(1)).astype(np.int8)
    c = rng.integers(-(2**31), 2**31, case.shape(2)).astype(np.int32)
    mask = rng.random(case.extents) < (0.7 if masked else 2)
    got = interpret(case.text(kind, "i8", "i32", masked=masked), a, b, c, mask)
    wide = a.astype(np.int32), b.astype(np.int32)
    np.testing.assert_array_equal(got, case.loop(INTEGERS[kind], *wide, c, mask))


@pytest.mark.parametrize("narrow", ["f16", "bf16", "f8E4M3FN", "f8E5M2"])
def test_contract_widens_before_it_multiplies(narrow: str) -> None:
    case = Contraction((3, 4, 64), (False, False, True), ((0, 2), (2, 1), (0, 1)), 0)
    rng = np.random.default_rng(0)
    a, b = (
        (rng.standard_normal(case.shape(operand)) * 8).astype(numpy_dtype(narrow))
        for operand in range(2)
    )
    c = np.zeros((3, 4), np.float32)
    text = case.text("add", narrow, "f32", masked=False)
    got = interpret(text, a, b, c, np.ones(case.extents, np.bool_))
    want = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)


def test_a_large_contract_is_quick() -> None:
    case = Contraction((512,) * 3, (False, False, True), ((0, 2), (2, 1), (0, 1)), 0)
    op = case.op("add", "f16", "f32")
    kinds = [shaped(case.shape(0), "f16"), shaped(case.shape(2), "f32")]
    text = f"""
    func.func @f(%a: {kinds[0]}, %b: {kinds[0]}, %c: {kinds[1]}) -> {kinds[1]} {{
      %r = {op}
      return %r : {kinds[1]}
    }}"""
    a = np.random.default_rng(0).standard_normal((512, 512)).astype(np.float16)
    start = time.process_time()
    got = interpret(text, a, a, np.zeros((512, 512), np.float32))
    assert time.process_time() - start < 1.0
    wide = a.astype(np.float32)
    np.testing.assert_allclose(got, wide @ wide, rtol=1e-4, atol=1e-3)


PRODUCT = """
func.func @f(%a: tensor<{n}x{n}xf16>, %b: tensor<{n}x{n}xf16>, %c: vector<{n}x{n}xf32>)
    -> vector<{n}x{n}xf32> {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %x = vector.transfer_read %a[%c0, %c0], %pad {{in_bounds = [true, true, true],
    permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>}}
    : tensor<{n}x{n}xf16>, vector<{n}x{n}x{n}xf16>
  %y = vector.transfer_read %b[%c0, %c0], %pad {{in_bounds = [true, true, true],
    permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>}}
    : tensor<{n}x{n}xf16>, vector<{n}x{n}x{n}xf16>
  %xw = arith.extf %x : vector<{n}x{n}x{n}xf16> to vector<{n}x{n}x{n}xf32>
  %yw = arith.extf %y : vector<{n}x{n}x{n}xf16> to vector<{n}x{n}x{n}xf32>
  %p = arith.mulf %xw, %yw : vector<{n}x{n}x{n}xf32>
  %r = vector.multi_reduction <add>, %p, %c [2]
    : vector<{n}x{n}x{n}xf32> to vector<{n}x{n}xf32>
  return %r : vector<{n}x{n}xf32>
}}"""


@pytest.mark.parametrize("n", [1, 7, 512])
def test_a_product_under_a_sum_is_one_einsum(n: int) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((n, n)).astype(np.float16) for _ in range(2))
    c = np.ones((n, n), np.float32)
    start = time.process_time()
    got = interpret(PRODUCT.format(n=n), a, b, c)
    assert time.process_time() - start < 1.0
    want = c + a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3)


def test_a_product_that_others_read_is_written_out() -> None:
    text = """
    func.func @f(%x: vector<3x4xf32>, %y: vector<3x4xf32>, %c: vector<3xf32>)
        -> (vector<3xf32>, vector<3x4xf32>) {
      %p = arith.mulf %x, %y : vector<3x4xf32>
      %r = vector.multi_reduction <add>, %p, %c [1] : vector<3x4xf32> to vector<3xf32>
      return %r, %p : vector<3xf32>, vector<3x4xf32>
    }"""
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    r, p = interpret(text, x, x, np.ones(3, np.float32))
    np.testing.assert_array_equal(p, x * x)
    np.testing.assert_array_equal(r, 1 + (x * x).sum(axis=1))


def test_a_narrow_product_is_rounded_before_it_is_added_up() -> None:
    text = """
    func.func @f(%x: vector<1x64xf16>, %c: vector<1xf16>) -> vector<1xf16> {
      %p = arith.mulf %x, %x : vector<1x64xf16>
      %r = vector.multi_reduction <add>, %p, %c [1] : vector<1x64xf16> to vector<1xf16>
      return %r : vector<1xf16>
    }"""
    x = np.full((1, 64), 1 + 3 * 2**-10, np.float16)
    got = interpret(text, x, np.float16([-64]))
    np.testing.assert_array_equal(got, (x * x).astype(np.float64).sum() - 64)
    assert got != np.float16((x.astype(np.float64) ** 2).sum() - 64)


@pytest.mark.parametrize("kind", ["add", "maximumf", "mul"])
def test_outer_products(kind: str) -> None:
    a, b = np.float32([1, -2, 3]), np.float32([4, 5])
    c = np.full((3, 2), 6, np.float32)
    kinds = "vector<3xf32>, vector<2xf32>, vector<3x2xf32>"
    got = apply(
        f"vector.outerproduct %a0, %a1, %a2 {{kind = #vector.kind<{kind}>}} "
        ": vector<3xf32>, vector<2xf32>",
        a,
        b,
        c,
        types=kinds,
        result="vector<3x2xf32>",
    )
    np.testing.assert_array_equal(got, FLOATS[kind](np.outer(a, b), c))


def test_outer_products_without_accumulator_by_a_scalar_and_masked() -> None:
    text = """
    func.func @f(%a: vector<3xi32>, %s: i32, %c: vector<3x3xi32>, %m: vector<3x3xi1>)
        -> (vector<3x3xi32>, vector<3xi32>, vector<3x3xi32>) {
      %0 = vector.outerproduct %a, %a : vector<3xi32>, vector<3xi32>
      %1 = vector.outerproduct %a, %s : vector<3xi32>, i32
      %2 = vector.mask %m { vector.outerproduct %a, %a, %c {kind = #vector.kind<add>}
        : vector<3xi32>, vector<3xi32> } : vector<3x3xi1> -> vector<3x3xi32>
      return %0, %1, %2 : vector<3x3xi32>, vector<3xi32>, vector<3x3xi32>
    }"""
    a, c = np.int32([1, -2, 3]), np.full((3, 3), 5, np.int32)
    mask = np.eye(3, dtype=np.bool_)
    plain, scaled, masked = interpret(text, a, np.int32(7), c, mask)
    np.testing.assert_array_equal(plain, np.outer(a, a))
    np.testing.assert_array_equal(scaled, a * 7)
    np.testing.assert_array_equal(masked, np.where(mask, np.outer(a, a) + 5, 5))
