"""quantize_matmul: its tolerance, and the steps after it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import linear
from support.transforms.quantized import (
    FORMATS,
    NUMPY,
    assert_held,
    product,
    quantize,
    step,
)
from support.transforms.schedules import (
    OP,
    TO_VECTORS,
    for_loops,
    forall,
    fuse,
    include,
    match,
    parse_payload,
    parse_schedule,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.inspect.verify_each import VerifyEach, WrongResult
from tilewright.pipeline import apply_schedule, build
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule


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


@pytest.mark.sampled(12)
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


@pytest.mark.slow
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
