"""Reductions and scans of vectors, against their definition."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import apply, interpret
from support.ir.vectors import FLOATS, INTEGERS, Combine, reduced


def reduce_by_loop(
    combine: Combine, x: np.ndarray, acc: Any, dims: list[int], mask: np.ndarray
) -> np.ndarray:
    result = np.array(acc)
    for point in np.ndindex(x.shape):
        if mask[point]:
            at = tuple(index for dim, index in enumerate(point) if dim not in dims)
            result[at] = combine(result[at], x[point])
    return result


DIMS = st.sets(st.integers(0, 2)).map(sorted)


@settings(deadline=None, max_examples=examples(80))
@given(
    kind=st.sampled_from(sorted(FLOATS)),
    dims=DIMS,
    seed=st.integers(0, 999),
    masked=st.booleans(),
)
def test_multi_reduction(kind: str, dims: list[int], seed: int, masked: bool) -> None:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((3, 4, 5)).astype(np.float32)
    acc = np.asarray(x.sum(axis=tuple(dims)) if dims else x + 1, np.float32)
    if kind not in ("add", "mul"):
        x[rng.random(x.shape) < 0.5] = np.nan
        acc = np.where(rng.random(acc.shape) < 0.3, np.float32(np.nan), acc)
    mask = rng.random(x.shape) < (0.5 if masked else 2)
    got = interpret(reduced(kind, "f32", dims, masked=masked), x, acc, mask)
    want = reduce_by_loop(FLOATS[kind], x, acc, dims, mask)
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@settings(deadline=None, max_examples=examples(60))
@given(
    kind=st.sampled_from(sorted(INTEGERS)),
    dims=DIMS,
    seed=st.integers(0, 999),
    masked=st.booleans(),
)
def test_multi_reduction_of_integers(
    kind: str, dims: list[int], seed: int, masked: bool
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-(2**31), 2**31, (3, 4, 5)).astype(np.int32)
    kept = tuple(size for dim, size in enumerate(x.shape) if dim not in dims)
    acc = rng.integers(-(2**31), 2**31, kept).astype(np.int32)
    mask = rng.random(x.shape) < (0.5 if masked else 2)
    got = interpret(reduced(kind, "i32", dims, masked=masked), x, acc, mask)
    want = reduce_by_loop(INTEGERS[kind], x, acc, dims, mask)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("kind", sorted(FLOATS))
@pytest.mark.parametrize("with_acc", [False, True])
def test_reduction(kind: str, with_acc: bool) -> None:
    x = np.float32([3, -1, 2, 8, -5])
    acc = ", %a1" if with_acc else ""
    got = apply(
        f"vector.reduction <{kind}>, %a0{acc} fastmath<reassoc> "
        ": vector<5xf32> into f32",
        x,
        np.float32(7),
        types="vector<5xf32>, f32",
        result="f32",
    )
    values = [*x, np.float32(7)] if with_acc else list(x)
    want = values[0]
    for value in values[1:]:
        want = FLOATS[kind](want, value)
    assert got == want


def test_nan_and_zeros_with_a_sign() -> None:
    text = """
    func.func @f(%x: vector<3xf32>, %s: f32, %m: vector<3xi1>) -> (f32, f32, f32, f32) {
      %0 = vector.reduction <maximumf>, %x : vector<3xf32> into f32
      %1 = vector.reduction <maxnumf>, %x : vector<3xf32> into f32
      %2 = vector.mask %m { vector.reduction <add>, %x, %s : vector<3xf32> into f32 }
        : vector<3xi1> -> f32
      %3 = vector.mask %m {
        vector.reduction <maxnumf>, %x, %s : vector<3xf32> into f32
      } : vector<3xi1> -> f32
      return %0, %1, %2, %3 : f32, f32, f32, f32
    }"""
    off = np.zeros(3, np.bool_)
    a, b, c, _ = interpret(text, np.float32([1, np.nan, 2]), np.float32(-0.0), off)
    assert np.isnan(a) and b == 2
    assert c == 0 and np.signbit(c)
    *_, d = interpret(text, np.float32([1, 2, 3]), np.float32(np.nan), off)
    assert np.isnan(d)


def test_narrow_floats_are_rounded_once() -> None:
    x = np.full(4096, 0.1, ml_dtypes.bfloat16)
    got = apply(
        "vector.reduction <add>, %a0 : vector<4096xbf16> into bf16",
        x,
        types="vector<4096xbf16>",
        result="bf16",
    )
    want = x.astype(np.float64).sum()
    assert abs(float(got) - want) <= want * 2**-8


@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("kind", ["add", "mul", "maximumf"])
def test_scan(inclusive: bool, kind: str) -> None:
    text = f"""
    func.func @f(%x: vector<2x4x3xf32>, %i: vector<2x3xf32>)
        -> (vector<2x4x3xf32>, vector<2x3xf32>) {{
      %0, %1 = vector.scan <{kind}>, %x, %i {{inclusive = {str(inclusive).lower()},
        reduction_dim = 1 : i64}} : vector<2x4x3xf32>, vector<2x3xf32>
      return %0, %1 : vector<2x4x3xf32>, vector<2x3xf32>
    }}"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 4, 3)).astype(np.float32)
    initial = rng.standard_normal((2, 3)).astype(np.float32)
    total = x[:, 0] if inclusive else initial
    want = [total]
    for row in range(1, 4):
        total = FLOATS[kind](total, x[:, row if inclusive else row - 1])
        want.append(total)
    got, last = interpret(text, x, initial)
    np.testing.assert_allclose(got, np.stack(want, axis=1), rtol=1e-6)
    np.testing.assert_allclose(last, total, rtol=1e-6)


def test_masks_of_rank_zero_and_past_the_end() -> None:
    text = """
    func.func @f(%n: index) -> (vector<i1>, vector<2x3xi1>, vector<i1>) {
      %c9 = arith.constant 9 : index
      %0 = vector.create_mask %n : vector<i1>
      %1 = vector.create_mask %n, %c9 : vector<2x3xi1>
      %2 = vector.constant_mask [1] : vector<i1>
      return %0, %1, %2 : vector<i1>, vector<2x3xi1>, vector<i1>
    }"""
    scalar, box, constant = interpret(text, 1)
    assert scalar and constant
    np.testing.assert_array_equal(box, [[1, 1, 1], [0, 0, 0]])
    scalar, box, _ = interpret(text, -3)
    assert not scalar and not box.any()
