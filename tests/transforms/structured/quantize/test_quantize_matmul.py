"""quantize_matmul: the numbers, of every format and product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt
from support.transforms.quantized import (
    FORMATS,
    NUMPY,
    A,
    B,
    R,
    assert_held,
    other,
    product,
    step,
)
from support.transforms.schedules import evaluate, inputs_of, parse_payload, transform
from tilewright.ir.interpreter import run
from tilewright.ir.tolerance import compare


def emulated_factor(x: Any, form: str, axis: int | None, scale: Any = None) -> Any:
    """A factor and its scale by the recipe, in numpy."""
    dtype, largest = FORMATS[form]
    wide = x.astype(np.float32)
    if scale is None:
        absmax = np.max(np.abs(wide), axis=axis, keepdims=True, initial=0.0)
        scale = np.maximum(absmax / np.float32(largest), np.float32(2.0**-126))
    steps = wide / np.float32(scale)
    if form == "i8":
        steps = np.rint(steps)
    return np.clip(steps, -largest, largest).astype(dtype), np.asarray(scale)


def emulated(
    inputs: Any,
    form: str,
    per_channel: bool,
    scales: Any = (None, None),
    c: bool = True,
) -> Any:
    """The whole recipe on A, B and C."""
    a, b, start = inputs
    qa, sa = emulated_factor(a, form, 1 if per_channel else None, scales[0])
    qb, sb = emulated_factor(b, form, 0 if per_channel else None, scales[1])
    wide = np.int32 if form == "i8" else np.float32
    total = (qa.astype(wide) @ qb.astype(wide)).astype(np.float32)
    result = total * (sa.astype(np.float32) * sb.astype(np.float32))
    if c:
        result = start.astype(np.float32) + result
    return result.astype(start.dtype)


def check(text: str, form: str, per_channel: bool, c: bool = True, made="f32") -> str:
    ran = transform(text, step(form, "per_channel" if per_channel else ""))
    inputs = inputs_of(ran.before)
    (actual,) = evaluate(ran.module, inputs)
    expected = emulated(inputs, form, per_channel, c=c)
    outcome = compare(actual, expected, made, 32)
    assert outcome.ok, outcome.message
    if form == "i8" and made == "f32" and not c:
        assert np.array_equal(actual, expected)
    return ran.text


@pytest.mark.parametrize("flags", ["", "per_channel"], ids=["tensor", "channel"])
@pytest.mark.parametrize("form", FORMATS)
def test_golden_and_the_recipe_in_numpy(form, flags, golden) -> None:
    text = check(product(6, 10, 32), form, bool(flags))
    if (form, flags) in (("f8E4M3FN", ""), ("i8", "per_channel")):
        golden(f"transforms/quantize_{form}.mlir", text)
    mlir_opt(text)


@pytest.mark.parametrize("form", FORMATS)
def test_from_zeros_nothing_is_added(form, golden) -> None:
    text = check(product(6, 10, 32, c=False), form, False, c=False)
    # Zeros of f32 are the accumulator of a sum in f32.
    assert text.count("linalg.fill") == (4 if form == "i8" else 3)


@settings(max_examples=examples(30), deadline=None)
@given(
    st.tuples(*[st.integers(1, 19)] * 3),
    st.sampled_from(list(FORMATS)),
    st.sampled_from(list(NUMPY)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_any_shape_and_type(sizes, form, factors, wide, per_channel, c) -> None:
    made = "f32" if wide else factors
    check(product(*sizes, factors, made, c), form, per_channel, c, made)


def test_sizes_known_at_run_time() -> None:
    text = product("?", "?", "?")
    ran = transform(text, step("f8E5M2", "per_channel"))
    mlir_opt(ran.text)
    rng = np.random.default_rng(1)
    inputs = [
        rng.standard_normal(s).astype(np.float32) for s in ((5, 7), (7, 3), (5, 3))
    ]
    (actual,) = run(ran.module, inputs)
    assert compare(actual, emulated(inputs, "f8E5M2", True), "f32", 7).ok


@pytest.mark.parametrize("form", FORMATS)
def test_scales_that_are_given(form) -> None:
    """They are not measured, and what they cannot hold is cut off."""
    scales = 2.0**-7, 2.0**-3
    flags = "lhs_scale = 0.0078125 : f32, rhs_scale = 0.125 : f32"
    ran = transform(product(6, 10, 32), step(form, flags))
    assert "absf" not in ran.text and "divf" in ran.text
    a, b, c = inputs_of(ran.before)
    a[2] *= 1000.0
    (actual,) = evaluate(ran.module, [a, b, c])
    expected = emulated([a, b, c], form, False, scales)
    assert compare(actual, expected, "f32", 32).ok
    one = transform(product(6, 10, 32), step(form, "rhs_scale = 0.125 : f32"))
    assert one.text.count("absf") == 1


def answers(inputs: Any, form: str, flags: str = "") -> Any:
    (m, k), n = inputs[0].shape, inputs[1].shape[1]
    ran = transform(product(m, n, k), step(form, flags))
    return evaluate(ran.module, inputs)[0]


@pytest.mark.parametrize("form", FORMATS)
def test_zeros(form) -> None:
    a, b, c = inputs_of(parse_payload(product(4, 5, 6)))
    for lhs, rhs in ((a * 0, b), (a, b * 0), (a * 0, b * 0)):
        assert np.array_equal(answers([lhs, rhs, c], form), c)
    a[1] = 0.0
    rows = answers([a, b, c], form, "per_channel")
    assert np.array_equal(rows[1], c[1]) and np.isfinite(rows).all()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("size", [2.0**-149, 2.0**-130, 2.0**-60, 2.0**100])
@pytest.mark.parametrize("form", FORMATS)
def test_sizes_at_both_ends(form, size) -> None:
    """A large and a small factor: the scales cancel, nothing overflows."""
    a, b, c = inputs_of(parse_payload(product(4, 5, 6)))
    inverse = min(1 / size, 2.0**100)
    small, large = (a * size).astype(np.float32), (b * inverse).astype(np.float32)
    got = answers([small, large, c], form)
    assert np.isfinite(got).all()
    exact = small.astype(np.float64) @ large.astype(np.float64) + c
    assert np.abs(got - exact).max() <= 0.6 * max(np.abs(exact - c).max(), 2.0**-20)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_no_number_stays_visible(form, value) -> None:
    a, b, c = inputs_of(parse_payload(product(4, 5, 6)))
    a[2, 3] = value
    assert not np.isfinite(answers([a, b, c], form)).any()
    rows = answers([a, b, c], form, "per_channel")
    assert not np.isfinite(rows[2]).any()
    assert np.isfinite(np.delete(rows, 2, axis=0)).all()


MAPS = "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>"
OUT = "affine_map<(b, m, n, k) -> (b, m, n)>"

SUM_OF_PRODUCTS = """{
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %p = arith.mulf %yw, %xw : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } """
GENERIC = (
    f"linalg.generic {{indexing_maps = [{MAPS}, {OUT}], iterator_types = "
    '["parallel", "parallel", "parallel", "reduction"]}'
)

OTHERS = {
    "batch_matmul": (
        other("linalg.batch_matmul", A, "tensor<2x6x5xf16>", R),
        "bmk,bkn->bmn",
    ),
    "contract": (
        other(f"linalg.contract indexing_maps = [{MAPS}, {OUT}]", A, B, R),
        "bmk,nk->bmn",
    ),
    "generic": (other(GENERIC, A, B, R, SUM_OF_PRODUCTS), "bmk,nk->bmn"),
    "matvec": (
        other("linalg.matvec", "tensor<4x6xf16>", "tensor<6xf16>", "tensor<4xf32>"),
        "mk,k->m",
    ),
    "transposed": (
        other(
            "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, "
            "affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]",
            "tensor<6x4xf16>",
            "tensor<6x5xf16>",
            "tensor<4x5xf32>",
        ),
        "km,kn->mn",
    ),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("flags", ["", "per_channel"], ids=["tensor", "channel"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", OTHERS)
def test_other_products(name, form, flags) -> None:
    payload, einsum = OTHERS[name]
    op = "linalg.matmul" if name == "transposed" else f"linalg.{name}"
    ran = transform(payload, step(form, flags, op))
    mlir_opt(ran.text)
    assert op in ran.text
    a, b, c = inputs_of(ran.before)
    words, kept = einsum.split("->")[0].split(","), einsum.split("->")[1]
    parts = []
    for word, x in zip(words, (a, b), strict=True):
        axes = tuple(i for i, w in enumerate(word) if w not in kept or not flags)
        parts.append(emulated_factor(x, form, axes))
    wide = np.float64 if form != "i8" else np.int64
    small = [(q.astype(wide) * s.astype(np.float64)) for q, s in parts]
    expected = (c + np.einsum(einsum, *small)).astype(np.float32)
    (actual,) = evaluate(ran.module, [a, b, c])
    assert compare(actual, expected, "f32", 6).ok
    assert_held(payload, step(form, flags, op))
