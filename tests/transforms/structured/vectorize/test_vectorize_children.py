"""vectorize_children_and_apply_patterns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import elementwise, generic, linear, matmul, reduction
from support.transforms.same_program import CLEAN, assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    for_loops,
    forall,
    fuse,
    match,
    on,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure
from tilewright.ir.interpreter import run
from tilewright.transforms.interpreter import run_schedule

FLAGS = (
    "fold_type_extensions_into_contract",
    "vectorize_padding",
    "vectorize_nd_extract",
    "flatten_1d_depthwise_conv",
    "disable_multi_reduction_to_contract_patterns",
    "disable_transfer_permutation_map_lowering_patterns",
)


def children(result: str, target: str, *flags: str) -> str:
    given = f" {{{', '.join(flags)}}}" if flags else ""
    return (
        f"{result} = transform.structured.vectorize_children_and_apply_patterns "
        f"{target}{given} : ({OP}) -> {OP}"
    )


def whole(*flags: str) -> str:
    return schedule_of(match("%f", "func.func"), children("%g", "%f", *flags))


def function(signature: str, result: str, *body: str) -> str:
    lines = "\n".join(f"  {line}" for line in body)
    return f"func.func @f({signature}) -> {result} {{\n{lines}\n}}\n"


RELU = "%m = arith.maximumf %x, %zero : f32\n    linalg.yield %m : f32"
SOFTMAX = function(
    "%a: tensor<4x8xf32>",
    "tensor<4x8xf32>",
    "%e = tensor.empty() : tensor<4x8xf32>",
    "%r = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) "
    "outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>",
    "return %r : tensor<4x8xf32>",
)


def insertion(source: str, offsets: str, sizes: str, into: str, strides: str) -> str:
    return function(
        f"%a: {source}, %b: {into}",
        into,
        f"%r = tensor.insert_slice %a into %b[{offsets}] [{sizes}] [{strides}] "
        f": {source} into {into}",
        f"return %r : {into}",
    )


def padded(source: str, low: str, high: str, made: str, value: str = "%c") -> str:
    inside = "" if value == "%c" else f"{value} = arith.sitofp %n : i32 to f32\n"
    return function(
        f"%a: {source}, %h: index, %c: f32",
        made,
        f"%r = tensor.pad %a low[{low}] high[{high}] {{",
        "^bb0(%i: index, %j: index):",
        *(["%n = arith.index_cast %j : index to i32", inside] if inside else []),
        f"tensor.yield {value} : f32",
        f"}} : {source} to {made}",
        f"return %r : {made}",
    )


PAD = padded("tensor<5x6xf32>", "1, 0", "2, 2", "tensor<8x8xf32>")
PADDED_SUM = function(
    "%a: tensor<5x6xf32>, %b: tensor<8x8xf32>",
    "tensor<8x8xf32>",
    "%c = arith.constant 1.5 : f32",
    "%p = tensor.pad %a low[0, 0] high[3, 2] {",
    "^bb0(%i: index, %j: index):",
    "  tensor.yield %c : f32",
    "} : tensor<5x6xf32> to tensor<8x8xf32>",
    "%r = linalg.add ins(%p, %b : tensor<8x8xf32>, tensor<8x8xf32>) "
    "outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>",
    "return %r : tensor<8x8xf32>",
)
TRANSPOSED = generic(
    ["(d0, d1) -> (d1, d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0, d1)"],
    ["parallel", "parallel"],
    [
        ("tensor<20x12xf32>", "f32"),
        ("tensor<20xf32>", "f32"),
        ("tensor<12x20xf32>", "f32"),
    ],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)

# name: payload, flags
CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "relu": (elementwise(RELU), ()),
    "matmul": (matmul(8, 8, 16), ()),
    "mixed_types": (matmul(8, 8, 16, "f16"), ()),
    "extensions": (matmul(8, 8, 16, "f16"), FLAGS[:1]),
    "no_contraction": (matmul(7, 5, 3), FLAGS[4:5]),
    "no_permutation": (matmul(7, 5, 3), FLAGS[5:]),
    "neither": (matmul(7, 5, 3), FLAGS[4:]),
    "linear": (linear(16, 16, 4, bias=True), ()),
    "sum": (reduction("arith.addf", "0.0"), ()),
    "maximum": (reduction("arith.maximumf", "0xFF800000"), ()),
    "softmax_stays": (SOFTMAX, ()),
    "transposed": (TRANSPOSED, ()),
    "insertion": (
        insertion("tensor<3x4xf32>", "0, 2", "3, 4", "tensor<3x8xf32>", "1, 1"),
        (),
    ),
    "row": (insertion("tensor<4xf32>", "1, 2", "1, 4", "tensor<3x8xf32>", "1, 1"), ()),
    "one": (insertion("tensor<f32>", "2, 3", "1, 1", "tensor<3x8xf32>", "1, 1"), ()),
    "pad_stays": (PAD, ()),
    "pad": (PAD, FLAGS[1:2]),
    "padded_sum": (PADDED_SUM, FLAGS[1:2]),
}


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_golden_numbers_and_real_mlir(name, golden) -> None:
    payload, flags = CASES[name]
    if name in ("pad", "pad_stays"):
        payload = payload.replace("%h: index, ", "")
    ran = transform(payload, whole(*flags))
    assert_same_numbers(ran, reduction=32)
    assert_same_program(ran.text, by_real_mlir(payload, whole(*flags)))
    if name in ("linear", "extensions", "pad"):
        golden(f"transforms/vectorize_children_{name}.mlir", ran.text)


DYNAMIC = {
    "sizes at run time": (
        function(
            "%a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>",
            "(tensor<?x8xf32>, tensor<4x8xf32>)",
            "%r = linalg.add ins(%a, %b : tensor<?x8xf32>, tensor<?x8xf32>) "
            "outs(%b : tensor<?x8xf32>) -> tensor<?x8xf32>",
            "%q = linalg.mul ins(%c, %c : tensor<4x8xf32>, tensor<4x8xf32>) "
            "outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>",
            "return %r, %q : tensor<?x8xf32>, tensor<4x8xf32>",
        ),
        (),
    ),
    "a pad to a known size": (
        padded("tensor<?x6xf32>", "0, 0", "%h, 2", "tensor<8x8xf32>"),
        FLAGS[1:2],
    ),
    "an insertion of unknown size": (
        function(
            "%a: tensor<3x?xf32>, %b: tensor<3x8xf32>, %n: index",
            "tensor<3x8xf32>",
            "%r = tensor.insert_slice %a into %b[0, 0] [3, %n] [1, 1] "
            ": tensor<3x?xf32> into tensor<3x8xf32>",
            "return %r : tensor<3x8xf32>",
        ),
        (),
    ),
}


@needs_mlir
@pytest.mark.parametrize("name", DYNAMIC)
def test_real_mlir_gives_the_same_for_sizes_known_at_run_time(name) -> None:
    payload, flags = DYNAMIC[name]
    ran = transform(payload, whole(*flags))
    assert_same_program(ran.text, by_real_mlir(payload, whole(*flags)))


@needs_mlir
@pytest.mark.parametrize("shape", ["3x4x", "3x?x", ""])
def test_copies_between_buffers(shape) -> None:
    kind = f"memref<{shape}f32>"
    payload = (
        f"func.func @f(%a: {kind}, %b: {kind}) {{\n"
        f"  memref.copy %a, %b : {kind} to {kind}\n  return\n}}\n"
    )
    ran = transform(payload, whole())
    assert ("memref.copy" in ran.text) == ("?" in shape)
    assert_same_program(ran.text, by_real_mlir(payload, whole()))


# -- where upstream is wrong -----------------------------------------------------------


@pytest.mark.parametrize("rows", [2, 5, 8])
@pytest.mark.parametrize("low", [0, 3])
def test_padding_of_a_size_known_at_run_time(rows, low) -> None:
    """Upstream promises that the lanes fit, wherever they begin."""
    made = f"tensor<{8 + low}x8xf32>"
    payload = padded("tensor<?x6xf32>", f"{low}, 0", "%h, 2", made)
    ran = transform(payload, whole("vectorize_padding"))
    assert "tensor.pad" not in ran.text and "insert_slice" not in ran.text
    a = np.arange(rows * 6, dtype=np.float32).reshape(rows, 6)
    given = [a, np.asarray(8 - rows), np.asarray(-1.5, np.float32)]
    (expected,) = run(parse_payload(payload), given)
    (actual,) = run(ran.module, given)
    assert np.array_equal(actual, expected)


WRONG_UPSTREAM = {
    "with gaps": insertion(
        "tensor<3x4xf32>", "0, 0", "3, 4", "tensor<3x8xf32>", "1, 2"
    ),
    "a dimension dropped in the middle": insertion(
        "tensor<3x4xf32>", "0, 0, 2", "3, 1, 4", "tensor<3x1x8xf32>", "1, 1, 1"
    ),
}


@pytest.mark.parametrize("name", WRONG_UPSTREAM)
def test_insertions_that_stay(name) -> None:
    ran = transform(WRONG_UPSTREAM[name], whole())
    assert "tensor.insert_slice" in ran.text
    assert_same_numbers(ran)


def test_indices_are_a_table() -> None:
    """As upstream writes them; code generation counts the lanes again."""
    payload = generic(
        ["(d0) -> (d0)", "(d0) -> (d0)"],
        ["parallel"],
        [("tensor<8xindex>", "index"), ("tensor<8xindex>", "index")],
        "%i = linalg.index 0 : index\n%s = arith.addi %i, %x0 : index\n"
        "linalg.yield %s : index",
    )
    ran = transform(payload, whole())
    assert "dense<[0, 1, 2, 3, 4, 5, 6, 7]>" in ran.text
    assert_same_numbers(ran)
    mlir_opt(ran.text)


def test_padding_that_depends_on_the_index() -> None:
    payload = padded("tensor<3x4xf32>", "1, 2", "0, 2", "tensor<4x8xf32>", "%v")
    payload = payload.replace("%h: index, %c: f32", "%h: f32")
    ran = transform(payload, whole("vectorize_padding"))
    assert "tensor.pad" not in ran.text
    assert_same_numbers(ran)
    mlir_opt(ran.text)


# -- after tiling and fusing -----------------------------------------------------------

TILED = [
    match("%mm", "linalg.matmul"),
    match("%fill", "linalg.fill"),
    match("%tail", "linalg.generic"),
    forall("%t, %grid", "%tail", "16, 16"),
    fuse("%mm1, %g1", "%mm", "%grid"),
    fuse("%f1, %g2", "%fill", "%g1"),
    for_loops("%mm2, %k", "%mm1", "0, 0, 8"),
    match("%f", "func.func"),
    on("apply_cse", "%f"),
]
COUNTED = ("vector.transfer_read", "vector.transfer_write", "vector.contract", "scf.")


@needs_mlir
@pytest.mark.parametrize("sizes", [(32, 48, 24), (40, 20, 30)], ids=["even", "ragged"])
def test_a_tiled_and_fused_program(sizes) -> None:
    payload = linear(*sizes, "f16")
    schedule = schedule_of(*TILED, children("%v", "%f", *FLAGS[:1]))
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=sizes[2])
    theirs = mlir_opt(by_real_mlir(payload, schedule), *CLEAN)
    ours = mlir_opt(ran.text, *CLEAN)
    assert {n: ours.count(n) for n in COUNTED} == {n: theirs.count(n) for n in COUNTED}


@settings(max_examples=examples(8), deadline=None)
@given(st.tuples(*[st.integers(1, 9)] * 3), st.sampled_from(["f16", "bf16", "f32"]))
def test_any_sizes(sizes, dtype) -> None:
    ran = transform(linear(*sizes, dtype), whole(*FLAGS[:2]))
    assert "linalg." not in ran.text
    assert_same_numbers(ran, reduction=sizes[2])


def test_a_second_application_finds_nothing() -> None:
    payload = linear(16, 16, 4)
    once, twice = (
        transform(payload, schedule_of(match("%f", "func.func"), *steps)).text
        for steps in (
            [children("%g", "%f")],
            [children("%g", "%f"), children("%h", "%g")],
        )
    )
    assert once == twice


def test_no_target_and_several() -> None:
    payload = elementwise(RELU).replace("@elementwise", "@one") + elementwise(RELU)
    none = schedule_of(match("%f", "func.call"), children("%g", "%f"))
    assert "linalg.generic" in transform(payload, none).text
    assert "linalg.generic" not in transform(payload, whole()).text


def test_what_stays_is_told() -> None:
    module = parse_payload(DYNAMIC["sizes at run time"][0])
    ran = run_schedule(parse_schedule(whole()), module)
    (remark,) = ran.remarks
    assert "loop 0 has an extent known only at run time" in remark.fact
    assert remark.place is not None and remark.place.line == 2


@needs_mlir
@pytest.mark.parametrize("flags", [(), FLAGS], ids=["plain", "every flag"])
def test_its_text(flags) -> None:
    assert_round_trips(match("%f", "func.func"), children("%g", "%f", *flags))


# -- refusals --------------------------------------------------------------------------


def test_a_loop_is_not_isolated() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        for_loops("%t, %l", "%mm", "4"),
        children("%g", "%l"),
    )
    error = refusal(matmul(8, 8, 8), schedule)
    assert isinstance(error, DefiniteFailure)
    assert "'scf.for' is not isolated from what is around it" in str(error)
    assert "give a function or a module" in str(error)


def test_the_handle_is_consumed() -> None:
    schedule = schedule_of(
        match("%f", "func.func"), children("%g", "%f"), on("apply_cse", "%f")
    )
    error = refusal(matmul(8, 8, 8), schedule)
    assert "vectorize_children_and_apply_patterns" in str(error)
