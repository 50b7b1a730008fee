"""Tolerances: equal numbers pass in every dtype, a lost slice of a sum does not."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import above_all, absolute_tolerance, compare, tolerances

DTYPES = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}


def product(dtype: str, k: int, drop: int = 0, step: int = 32) -> np.ndarray:
    """A 64 x 48 matmul accumulated in f32 slice by slice, the last `drop` left out."""
    rng = np.random.default_rng(3)
    a = rng.standard_normal((64, k)).astype(DTYPES[dtype]).astype(np.float32)
    b = rng.standard_normal((k, 48)).astype(DTYPES[dtype]).astype(np.float32)
    total = np.zeros((64, 48), np.float32)
    for start in range(0, k - drop, step):
        stop = min(start + step, k - drop)
        total += a[:, start:stop] @ b[start:stop]
    return total.astype(DTYPES[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 7, 127, 1000, 4096])
def test_other_order_of_summing_is_equal(dtype: str, k: int) -> None:
    comparison = compare(product(dtype, k, step=k), product(dtype, k), dtype, k)
    assert comparison.ok, comparison.message


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("k", "drop"), [(7, 1), (127, 1), (1000, 8), (4096, 32)])
def test_lost_slice_is_not_equal(dtype: str, k: int, drop: int) -> None:
    comparison = compare(product(dtype, k, drop), product(dtype, k), dtype, k)
    assert not comparison.ok
    assert "elements differ; worst at [" in comparison.message


def test_cancelled_element_is_judged_by_the_size_of_the_sums() -> None:
    expected = np.array([1000.0, -1000.0, 1e-4], np.float32)
    shifted = expected + np.float32(1e-3)
    assert compare(shifted, expected, "f32", 4096).ok
    assert not compare(shifted[2:], expected[2:], "f32", 4096).ok


@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
def test_nan_and_infinity(dtype: str) -> None:
    expected = np.array([1.0, math.nan, math.inf, -math.inf]).astype(DTYPES[dtype])
    assert compare(expected, expected, dtype).ok
    for position in range(4):
        wrong = expected.copy()
        wrong[position] = 1.0 if position else math.nan
        comparison = compare(wrong, expected, dtype)
        assert not comparison.ok
        assert comparison.max_error == math.inf
        assert f"[{position}]" in comparison.message


def test_the_message_says_how_much_of_the_tolerance_is_used_and_where() -> None:
    expected = np.full((2, 3), 1000.0, np.float16)
    got = expected.copy()
    got[1, 2] += 4
    comparison = compare(got, expected, "f16")
    relative, scale = tolerances("f16", 1)
    share = 4 / (1000 * (relative + scale))
    assert comparison.message == (
        "equal within tolerance; largest error 4, 0.004 of the root mean square; at "
        f"most {share:.0%} of the tolerance is used, at [1, 2]: 1004, expected 1000"
    )
    assert compare(got, got, "f16").message == "equal in every element"


def test_shapes_must_match_and_nothing_equals_nothing() -> None:
    comparison = compare(np.zeros((2, 3)), np.zeros((3, 2)), "f32")
    assert not comparison.ok
    assert comparison.message == "shape is 2x3, expected 3x2"
    assert not compare(np.zeros(1), np.zeros(()), "f32").ok
    assert compare(np.zeros((0, 4)), np.zeros((0, 4)), "f32").ok


def test_integers_are_exact() -> None:
    expected = np.arange(5, dtype=np.int32)
    assert compare(expected, expected, "i32", 1000).ok
    assert not compare(expected + np.eye(5, dtype=np.int32)[2], expected, "i32").ok


@settings(deadline=None)
@given(st.sampled_from(["f64", "f32", "tf32", "f16", "bf16", "f8E4M3FN"]), st.data())
def test_allowance_is_the_documented_sum(dtype: str, data: st.DataObject) -> None:
    reduction = data.draw(st.integers(1, 1 << 20))
    relative, _ = tolerances(dtype, reduction)
    expected = np.array([3.0, -4.0, 0.0, 12.0])
    allowed = absolute_tolerance(expected, dtype, reduction) + relative * 12.0
    for factor, ok in [(0.98, True), (1.02, False)]:
        actual = expected + np.array([0, 0, 0, factor * allowed])
        assert compare(actual, expected, dtype, reduction).ok is ok


def test_longer_sums_are_granted_more() -> None:
    assert tolerances("f32", 4096) > tolerances("f32", 64) > tolerances("f32", 1)


def test_error_past_the_first_chunk_is_found() -> None:
    expected = np.ones((3, 1 << 21), np.float32)
    actual = expected.copy()
    actual[2, 5] = 2.0
    comparison = compare(actual, expected, "f32")
    assert comparison.message.startswith(
        "1 of 6291456 elements differ; worst at [2, 5]"
    )


def test_unknown_dtype() -> None:
    with pytest.raises(UserError, match="no tolerance is known for dtype 'f5'"):
        tolerances("f5", 1)


def test_slack_refers_to_rows_that_are_larger_than_the_others() -> None:
    """As in causal attention: the first rows are means of few values."""
    rng = np.random.default_rng(0)
    sizes = np.where(np.arange(256) < 2, 1.0, 0.02)[:, None]
    expected = (sizes * rng.standard_normal((256, 64))).astype(np.float32)
    expected[1, 7] = 0.0

    def off(row: int, slack: float) -> bool:
        got = expected.copy()
        got[row, 7] += np.float32(0.01)
        return compare(got, expected, "f32", 1, slack).ok

    assert off(1, 2.0**-6)
    assert not off(1, 0.0) and not off(3, 2.0**-6)


def test_slack_of_rows_is_the_same_on_a_device() -> None:
    import torch

    from tilewright.tuning.measure import correctness

    rng = np.random.default_rng(0)
    values = rng.standard_normal((5, 8)).astype(np.float32)
    values[2] *= 10
    values[2, 3] = math.inf
    want = above_all(values.reshape(-1), 8, 1.5).reshape(5, 8)
    got = correctness.above_all(torch.from_numpy(values), 1.5).expand(5, 8)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-5)
    assert want[2].min() > 0 and want[0].max() == 0
