"""collapse_loops: neighbouring loops of an op as one loop."""

from __future__ import annotations

import pytest

from support.transforms.payloads import generic
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    evaluate,
    inputs_of,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.structured.collapsing import common
from tilewright.pipeline import apply_schedule
from tilewright.schedules.schedule import Schedule


def collapse(by: str = "", op: str = "linalg.generic") -> str:
    return schedule_of(
        match("%h", op),
        f"%r = transform.tilewright.collapse_loops %h {by}: ({OP}) -> {OP}",
        f'transform.annotate %r "made" : {OP}',
    )


def bias(shape: str = "4x5x8", last: str = "8") -> str:
    return generic(
        [
            "(d0, d1, d2) -> (d0, d1, d2)",
            "(d0, d1, d2) -> (d2)",
            "(d0, d1, d2) -> (d0, d1, d2)",
        ],
        ["parallel"] * 3,
        [
            (f"tensor<{shape}xf32>", "f32"),
            (f"tensor<{last}xf32>", "f32"),
            (f"tensor<{shape}xf32>", "f32"),
        ],
        "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
    )


def test_collapse(golden) -> None:
    ran = transform(bias(), collapse("by [2, 1] "))
    assert_same_numbers(ran)
    golden("transforms/collapse_loops.mlir", ran.text)


def test_longest_runs_by_themselves() -> None:
    assert (
        transform(bias(), collapse()).text
        == transform(bias(), collapse("by [2, 1] ")).text
    )


@pytest.mark.parametrize("shape", ["1x1x1", "7x1x3", "4x0x8"])
def test_odd_shapes(shape) -> None:
    assert_same_numbers(transform(bias(shape, shape.split("x")[2]), collapse()))


@pytest.mark.parametrize("shape", ["?x5x8", "4x?x8", "4x5x?", "?x?x8"])
def test_extents_of_the_run_time(shape) -> None:
    ran = transform(bias(shape, shape.split("x")[2]), collapse())
    sizes = "x".join(
        str(size) if extent == "?" else extent
        for extent, size in zip(shape.split("x"), (4, 5, 8), strict=True)
    )
    inputs = inputs_of(parse_payload(bias(sizes)))
    (want,), (got,) = evaluate(ran.before, inputs), evaluate(ran.module, inputs)
    assert (want == got).all()


SUM = generic(
    ["(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0)"],
    ["parallel", "reduction", "reduction"],
    [("tensor<3x4x5xf32>", "f32"), ("tensor<3xf32>", "f32")],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)
INDICES = generic(
    ["(d0, d1, d2) -> (d0, d1, d2)"] * 2,
    ["parallel"] * 3,
    [("tensor<2x3x5xi64>", "i64")] * 2,
    """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %s = arith.muli %i, %j : index
    %t = arith.addi %s, %k : index
    %n = arith.index_cast %t : index to i64
    %r = arith.muli %n, %x0 : i64
    linalg.yield %r : i64""",
)
PERMUTED = generic(
    ["(d0, d1, d2) -> (d1, d2, d0)", "(d0, d1, d2) -> (d0, d1, d2)"],
    ["parallel"] * 3,
    [("tensor<4x5x3xf32>", "f32"), ("tensor<3x4x5xf32>", "f32")],
    "linalg.yield %x0 : f32",
)


@pytest.mark.parametrize(
    ("payload", "maps"),
    [
        (SUM, "(d0, d1) -> (d0)"),
        (INDICES, "(d0) -> (d0)"),
        (PERMUTED, "(d0, d1) -> (d1, d0)"),
    ],
)
def test_reductions_indices_and_permutations(payload, maps) -> None:
    ran = transform(payload, collapse())
    assert maps in ran.text
    assert_same_numbers(ran, reduction=20)


def test_a_named_op_becomes_generic() -> None:
    payload = """\
func.func @f(%x: tensor<3x4x5xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<3x4x5xf32>)
      outs(%o : tensor<3xf32>) dimensions = [1, 2]
  return %r : tensor<3xf32>
}
"""
    ran = transform(payload, collapse("by [1, 2] ", "linalg.reduce"))
    assert_same_numbers(ran, reduction=20)
    assert "linalg.generic" in ran.text and "tensor<3x20xf32>" in ran.text


CHAIN = """\
func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %a = linalg.exp ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>)
      -> tensor<4x6xf32>
  %b = linalg.abs ins(%a : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>)
      -> tensor<4x6xf32>
  return %b : tensor<4x6xf32>
}
"""


@pytest.mark.parametrize("order", ["merge(a, b)", "merge(b, a)"])
def test_reshapes_between_collapsed_ops_disappear(order) -> None:
    schedule = Schedule.from_text(
        f"""schedule s(root) {{
  a = match "linalg.exp" in root
  b = match "linalg.abs" in root
  ops = collapse {order} by [2]
}}"""
    )
    after = apply_schedule(parse_payload(CHAIN), schedule, complete=False).payload
    names = [op.name for op in after.walk()]
    assert names.count("tensor.collapse_shape") == 1
    assert names.count("tensor.expand_shape") == 1
    inputs = inputs_of(parse_payload(CHAIN))
    (want,), (got,) = evaluate(parse_payload(CHAIN), inputs), evaluate(after, inputs)
    assert (want == got).all()


def test_collapsing_again_changes_nothing() -> None:
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        f"%r = transform.tilewright.collapse_loops %h : ({OP}) -> {OP}",
        f"%s = transform.tilewright.collapse_loops %r : ({OP}) -> {OP}",
    )
    assert len(transform(bias(), schedule).dumps) == 1


@pytest.mark.parametrize(
    ("payload", "by", "fact"),
    [
        (bias(), "by [2, 2] ", "[2, 2] does not add up to its 3 loops"),
        (bias(), "by [1, 2] ", "operand 1 is not indexed by loops 1 and 2"),
        (SUM, "by [2, 1] ", "only one of loops 0 and 1 is a reduction"),
        (PERMUTED, "by [3] ", "operand 0 is not indexed by loops 0 and 1"),
    ],
)
def test_refusals(payload, by, fact) -> None:
    assert fact in str(refusal(payload, collapse(by)))


def test_the_common_runs_of_several_ops() -> None:
    assert common([(3,), (2, 1), (3,)]) == (2, 1)
    assert common([(2, 2), (1, 3)]) == (1, 1, 2)
    assert common([()]) == ()
