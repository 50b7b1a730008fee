"""quantize_matmul."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import linear
from support.transforms.schedules import (
    OP,
    TO_VECTORS,
    evaluate,
    for_loops,
    forall,
    fuse,
    include,
    inputs_of,
    match,
    on,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.inspect.verify_each import VerifyEach, WrongResult
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.ir.interpreter import run
from tilewright.ir.tolerance import compare
from tilewright.pipeline import apply_schedule, build
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule

FORMATS = {
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, 448.0),
    "f8E5M2": (ml_dtypes.float8_e5m2, 57344.0),
    "i8": (np.int8, 127.0),
}
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
NAMES = "%scales, %factors, %product, %scaled"


def quantize(form: str, flags: str = "", target: str = "%mm") -> str:
    given = f" {{{flags}}}" if flags else ""
    return (
        f"{NAMES} = transform.tilewright.quantize_matmul {target} to {form}{given} "
        f": ({OP}) -> ({OP}, {OP}, {OP}, {OP})"
    )


def step(form: str, flags: str = "", op: str = "linalg.matmul") -> str:
    return schedule_of(match("%mm", op), quantize(form, flags))


def product(
    m: Any, n: Any, k: Any, factors: str = "f32", made: str = "f32", c: bool = True
) -> str:
    """A B + C, or A B from zeros."""
    a, b, r = (
        f"tensor<{m}x{k}x{factors}>",
        f"tensor<{k}x{n}x{factors}>",
        (f"tensor<{m}x{n}x{made}>"),
    )
    zeros = (
        f"  %z = arith.constant 0.0 : {made}\n"
        f"  %i = linalg.fill ins(%z : {made}) outs(%c : {r}) -> {r}\n"
    )
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {r}) -> {r} {{\n{'' if c else zeros}"
        f"  %r = linalg.matmul ins(%a, %b : {a}, {b}) "
        f"outs({'%c' if c else '%i'} : {r}) -> {r}\n  return %r : {r}\n}}\n"
    )


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


# -- odd numbers -----------------------------------------------------------------------


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


@pytest.mark.sampled(6)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_no_number_stays_visible(form, value) -> None:
    a, b, c = inputs_of(parse_payload(product(4, 5, 6)))
    a[2, 3] = value
    assert not np.isfinite(answers([a, b, c], form)).any()
    rows = answers([a, b, c], form, "per_channel")
    assert not np.isfinite(rows[2]).any()
    assert np.isfinite(np.delete(rows, 2, axis=0)).all()


# -- other products --------------------------------------------------------------------

MAPS = "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>"
OUT = "affine_map<(b, m, n, k) -> (b, m, n)>"


def other(op: str, a: str, b: str, r: str, body: str = "") -> str:
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {r}) -> {r} {{\n"
        f"  %r = {op} ins(%a, %b : {a}, {b}) outs(%c : {r}) {body}-> {r}\n"
        f"  return %r : {r}\n}}\n"
    )


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
A, B, R = "tensor<2x4x6xf16>", "tensor<5x6xf16>", "tensor<2x4x5xf32>"
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


@pytest.mark.sampled(6)
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


# -- the tolerance ---------------------------------------------------------------------


def assert_held(payload: str, schedule: str) -> VerifyEach:
    """Every step is verified, the one that rounds by its own bound."""
    module = parse_payload(payload)
    verifier = VerifyEach(module.clone())
    assert verifier.questions
    run_schedule(parse_schedule(schedule), module, observers=[verifier])
    assert verifier.rounded == 1 and verifier.questions
    return verifier


@settings(max_examples=examples(25), deadline=None)
@given(
    st.tuples(*[st.integers(1, 40)] * 3),
    st.sampled_from(list(FORMATS)),
    st.sampled_from(list(NUMPY)),
    st.sampled_from(["", "per_channel", "lhs_scale = 0.03 : f32"]),
    st.booleans(),
)
def test_its_bound_holds_always(sizes, form, dtype, flags, c) -> None:
    payload = product(*sizes, dtype, dtype, c)
    assert assert_held(payload, step(form, flags)).questions[0].slack == 0.0


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("what", ["arith.mulf", "arith.divf"])
def test_a_wrong_step_is_found(form, what) -> None:
    """The product, or the factors, scaled twice: the bound is not a carte blanche."""
    module = parse_payload(product(8, 8, 64))
    verifier = VerifyEach(module.clone())

    def spoil(step, payload) -> None:
        ops = [op for op in payload.walk() if op.name == what]
        op = ops[-1]
        op.operands[0] = op.operands[1]

    with pytest.raises(WrongResult) as caught:
        run_schedule(
            parse_schedule(step(form, "per_channel")),
            module,
            observers=[spoil, verifier],
        )
    assert "are off by more than it rounds" in str(caught.value)
    assert "tilewright.quantize_matmul" in str(caught.value)


def test_later_steps_are_compared_with_what_it_left() -> None:
    payload = product(24, 20, 16)
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        quantize("i8"),
        for_loops("%t, %l", "%product", "5"),
    )
    verifier = assert_held(payload, schedule)
    assert verifier.checked == 2 and verifier.questions[0].slack == 0.0

    def spoil(step, module) -> None:
        if step.index == 2:
            for op in module.walk():
                if op.name == "arith.mulf":
                    op.operands[0] = op.operands[1]

    module = parse_payload(payload)
    verifier = VerifyEach(module.clone())
    with pytest.raises(WrongResult) as caught:
        run_schedule(parse_schedule(schedule), module, observers=[spoil, verifier])
    assert "step 2 (structured.tile_using_for) changed what @f computes" in str(
        caught.value
    )


def test_a_factor_that_is_computed_leaves_slack() -> None:
    """Its last bit may take it over a border when sums change their order."""
    a, r = "tensor<8x8xf32>", "tensor<8x8xf32>"
    payload = (
        f"func.func @f(%a: {a}, %b: {a}, %c: {r}) -> {r} {{\n"
        f"  %x = linalg.add ins(%a, %b : {a}, {a}) outs(%c : {r}) -> {r}\n"
        f"  %r = linalg.matmul ins(%x, %b : {a}, {a}) outs(%c : {r}) -> {r}\n"
        f"  return %r : {r}\n}}\n"
    )
    assert assert_held(payload, step("f8E4M3FN")).questions[0].slack == 2.0**-3


# -- schedules -------------------------------------------------------------------------

FUSED = [
    match("%mm", "linalg.matmul"),
    quantize("{form}", "per_channel"),
    f"%zeros = transform.get_producer_of_operand %product[2] : ({OP}) -> {OP}",
    forall("%r, %grid", "%scaled", "16, 16"),
    fuse("%mm1, %g1", "%product", "%grid"),
    fuse("%z1, %g2", "%zeros", "%g1"),
    for_loops("%mm2, %loop", "%mm1", "0, 0, 8"),
    vectorize("%mm2", "16, 16, 8"),
    vectorize("%z1", "16, 16"),
    vectorize("%r", "16, 16"),
    match("%f", "func.func"),
    include("to_vectors", "%f"),
]


@needs_mlir
@pytest.mark.parametrize("form", mostly_slow(FORMATS, list(FORMATS)[:1]))
@pytest.mark.parametrize("sizes", [(32, 48, 24), (40, 20, 30)], ids=["even", "ragged"])
def test_tiled_fused_and_vectorized(form, sizes) -> None:
    steps = [line.replace("{form}", form) for line in FUSED]
    payload = product(*sizes, "bf16", "bf16", c=False)
    schedule = schedule_of(*steps, sequences=TO_VECTORS)
    assert_held(payload, schedule)
    ran = transform(payload, schedule)
    mlir_opt(ran.text)
    assert f"vector<16x8x{form}>, vector<8x16x{form}> into vector<16x16x" in ran.text


@pytest.mark.parametrize("form", mostly_slow(FORMATS, list(FORMATS)[:1]))
def test_the_default_makes_kernels_of_it(form) -> None:
    """In the words of the language, each step to buffers verified, then the source."""
    text = (
        'schedule q(root) {\n  mm = match "linalg.matmul" in root\n'
        f"  scales, factors, mm, out = quantize mm to `{form}` per_channel = true\n}}\n"
    )
    payload = parse_payload(linear(24, 40, 20))
    verifier = VerifyEach(payload)
    schedule = Schedule.from_text(text, "q.tw")
    applied = apply_schedule(payload, schedule, observers=[verifier])
    assert verifier.rounded == 1 and verifier.checked == len(applied.steps)
    source = build(payload, schedule).program.text
    assert {"i8": "int8", "f8E4M3FN": "float8e4nv", "f8E5M2": "float8e5"}[
        form
    ] in source


def test_everything_vectorized() -> None:
    """Scales of a single number, too."""
    children = "transform.structured.vectorize_children_and_apply_patterns"
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        quantize("f8E4M3FN"),
        match("%f", "func.func"),
        f"%g = {children} %f : ({OP}) -> {OP}",
    )
    payload = product(7, 5, 9)
    assert_held(payload, schedule)
    ran = transform(payload, schedule)
    assert "linalg." not in ran.text
    mlir_opt(ran.text)


def test_the_handles() -> None:
    marks = [
        f'transform.annotate %{name} "{name}" : {OP}'
        for name in ("scales", "factors", "product", "scaled")
    ]
    ran = transform(
        linear(8, 8, 8),
        schedule_of(match("%mm", "linalg.matmul"), quantize("i8"), *marks),
    )
    marked = {
        mark: [op.name for op in ran.module.walk() if mark in op.attributes]
        for mark in ("scales", "factors", "product", "scaled")
    }
    assert {mark: len(ops) for mark, ops in marked.items()} == {
        "scales": 4,
        "factors": 2,
        "product": 1,
        "scaled": 1,
    }
    assert marked["product"] == ["linalg.matmul"]


def test_no_target_and_several() -> None:
    two = product(4, 4, 4).replace("@f", "@g") + product(4, 4, 4)
    assert (
        transform(two, step("i8", op="linalg.dot")).text
        == transform(two, schedule_of()).text
    )
    assert transform(two, step("i8")).text.count("i8>, tensor<4x4xi8>) outs") == 2


def test_its_text() -> None:
    for flags in ("", "per_channel, lhs_scale = 5.000000e-01 : f32"):
        assert_round_trips(
            match("%mm", "linalg.matmul"), quantize("f8E4M3FN", flags), upstream=False
        )


# -- refusals --------------------------------------------------------------------------

INTEGERS = other("linalg.matmul", "tensor<4x4xi8>", "tensor<4x4xi8>", "tensor<4x4xi32>")
REFUSED = {
    "'linalg.add' is not a sum of products of two factors": (
        other("linalg.add", R, R, R),
        step("i8", op="linalg.add"),
    ),
    "the lhs has elements of i8: integers are not quantized": (INTEGERS, step("i8")),
    "the lhs has elements of f64; it takes f16, bf16 and f32": (
        product(4, 4, 4, "f64", "f64"),
        step("i8"),
    ),
    "the lhs has elements of f8E4M3FN; it takes": (
        product(4, 4, 4, "f8E4M3FN"),
        step("f8E4M3FN"),
    ),
    "a sum of 200000 products of i8 may not fit i32; split the reduction into parts "
    "of at most 133144": (product(1, 1, 200000), step("i8")),
    "the op works on buffers; quantize, then bufferize": (
        "func.func @f(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {\n"
        "  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) "
        "outs(%c : memref<4x4xf32>)\n  return\n}\n",
        step("i8"),
    ),
}


@pytest.mark.parametrize("fact", REFUSED)
def test_refusals(fact) -> None:
    payload, schedule = REFUSED[fact]
    error = refusal(payload, schedule)
    assert isinstance(error, SilenceableFailure)
    assert fact in str(error) and "quantize_matmul: " in str(error)
    assert error.place is not None and error.notes


@pytest.mark.parametrize("form", ["f16", "i4", "i32", "tensor<4xi8>"])
def test_formats_that_there_are_not(form) -> None:
    error = refusal(product(4, 4, 4), step(form))
    assert isinstance(error, DefiniteFailure)
    assert f"there is no way to quantize to {form}" in str(error)
    assert "choose one of f8E4M3FN, f8E5M2, i8" in str(error)


@pytest.mark.parametrize("scale", ["0.0", "-1.0", "0x7F800000", "0x7FC00000"])
def test_scales_that_are_none(scale) -> None:
    error = refusal(product(4, 4, 4), step("i8", f"lhs_scale = {scale} : f32"))
    assert isinstance(error, DefiniteFailure)
    assert "is not a positive number of f32; leave it out" in str(error)


def test_a_second_application_is_refused() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        quantize("f8E4M3FN"),
        match("%again", "linalg.matmul"),
        quantize("i8", target="%again").replace(NAMES, "%s, %t, %u, %v"),
    )
    error = refusal(product(4, 4, 4), schedule)
    assert "the lhs has elements of f8E4M3FN" in str(error)


def test_the_handle_is_consumed() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"), quantize("i8"), on("apply_cse", "%mm")
    )
    assert "uses %mm after it was invalidated" in str(
        refusal(product(4, 4, 4), schedule)
    )
