"""generalize, interchange, split: the loops of a structured op."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import generic, linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text

ROWS = generic(
    ["(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"],
    ["parallel", "parallel"],
    [
        ("tensor<9x40xf32>", "f32"),
        ("tensor<40xf32>", "f32"),
        ("tensor<40x9xf32>", "f32"),
    ],
    "%i = linalg.index 0 : index\n    %c = arith.index_cast %i : index to i32\n"
    "    %f = arith.sitofp %c : i32 to f32\n    %p = arith.mulf %x0, %x1 : f32\n"
    "    %s = arith.addf %p, %f : f32\n    linalg.yield %s : f32",
)
ELEMENTS = """\
func.func @f(%a: tensor<7x5xf32>, %b: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %e = tensor.empty() : tensor<7x5xf32>
  %0 = linalg.exp ins(%a : tensor<7x5xf32>) outs(%e : tensor<7x5xf32>)
      -> tensor<7x5xf32>
  %1 = linalg.div ins(%0, %b : tensor<7x5xf32>, tensor<7x5xf32>)
      outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}
"""


def generalize(op: str) -> list[str]:
    return [
        match("%h", op),
        f"%g = transform.structured.generalize %h : ({OP}) -> {OP}",
        f'transform.annotate %g "made" : {OP}',
    ]


def interchange(order: str, op: str = "linalg.generic") -> list[str]:
    return [
        match("%h", op),
        "%g = transform.structured.interchange %h "
        f"iterator_interchange = [{order}] : ({OP}) -> {OP}",
        f'transform.annotate %g "made" : {OP}',
    ]


def split(after: str, loop: int, op: str = "linalg.generic") -> list[str]:
    return [
        match("%h", op),
        f"%g = transform.structured.split %h after {after} {{dimension = {loop}}} "
        f": {OP}",
        f'transform.annotate %g "made" : {OP}',
    ]


CASES = {
    "generalize_matmul": (matmul(8, 7, 5), generalize("linalg.matmul")),
    "generalize_fill": (linear(8, 7, 5), generalize("linalg.fill")),
    "generalize_elementwise": (ELEMENTS, generalize("linalg.exp")),
    "generalize_generic": (ROWS, generalize("linalg.generic")),
    "interchange": (ROWS, interchange("1, 0")),
    "interchange_three": (
        matmul(8, 7, 5),
        [
            *generalize("linalg.matmul"),
            "%i = transform.structured.interchange %g "
            f"iterator_interchange = [2, 0, 1] : ({OP}) -> {OP}",
        ],
    ),
    "split": (ROWS, split("12", 0)),
    "split_other_loop": (ROWS, split("4", 1)),
    "split_all": (ROWS, split("40", 0)),
    "split_past_the_end": (ROWS, split("400", 0)),
    "split_reduction": (matmul(8, 7, 5), split("2", 2, "linalg.matmul")),
    "split_parameter": (
        ROWS,
        [
            match("%h", "linalg.generic"),
            "%p = transform.param.constant 7 : i64 -> !transform.param<i64>",
            "%g = transform.structured.split %h after %p {dimension = 0} "
            f": {OP}, !transform.param<i64>",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_golden(name, golden) -> None:
    payload, body = CASES[name]
    golden(f"transforms/loops_{name}.mlir", transform(payload, schedule_of(*body)).text)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_gives_the_same_program(name) -> None:
    payload, body = CASES[name]
    ran = transform(payload, schedule_of(*body))
    assert_same_numbers(ran, reduction=8)
    assert_same_program(ran.text, by_real_mlir(payload, schedule_of(*body)))


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_reads_the_op(name) -> None:
    mlir_opt(to_text(parse_schedule(schedule_of(*CASES[name][1]))))


DYNAMIC = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("extent", [1, 7, 12, 30, 0])
def test_a_split_of_what_is_known_at_run_time(extent) -> None:
    schedule = schedule_of(*split("12", 0, "linalg.exp"))
    ran = transform(DYNAMIC, schedule)
    values = np.linspace(0, 1, extent, dtype=np.float32)
    (got,) = evaluate(ran.module, [values, values])
    np.testing.assert_allclose(got, np.exp(values), rtol=1e-6)
    assert_same_program(ran.text, by_real_mlir(DYNAMIC, schedule))


@needs_mlir
def test_a_split_in_several_parts() -> None:
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        "%p = transform.param.constant 7 : i64 -> !transform.param<i64>",
        "%q = transform.param.constant 20 : i64 -> !transform.param<i64>",
        "%s = transform.merge_handles %p, %q, %q : !transform.param<i64>",
        "%g = transform.structured.split %h after %s {dimension = 0, multiway} "
        f": {OP}, !transform.param<i64>",
        f'transform.annotate %g "part" : {OP}',
    )
    ran = transform(ROWS, schedule)
    assert ran.text.count("part") == 3
    assert_same_numbers(ran)


def test_a_second_split_splits_a_part() -> None:
    schedule = schedule_of(
        *split("12", 0)[:2],
        f"%a, %b = transform.split_handle %g : ({OP}) -> ({OP}, {OP})",
        f"%c = transform.structured.split %b after 3 {{dimension = 1}} : {OP}",
    )
    ran = transform(ROWS, schedule)
    assert ran.text.count("linalg.generic") == 3
    assert_same_numbers(ran)


REFUSALS = {
    "interchange of a named op": (
        matmul(8, 8, 8),
        interchange("1, 0, 2", "linalg.matmul"),
        "interchange: 'linalg.matmul' has its loops in a fixed order",
    ),
    "no permutation": (
        ROWS,
        interchange("1, 1"),
        "interchange: [1, 1] is not a permutation of its 2 loops",
    ),
    "too short": (
        ROWS,
        interchange("0"),
        "interchange: [0] is not a permutation of its 2 loops",
    ),
    "generalize a function": (
        ROWS,
        generalize("func.func"),
        "generalize: 'func.func' is not a structured op",
    ),
    "no such loop": (
        ROWS,
        split("4", 2),
        "split: there is no loop 2, the op has 2",
    ),
    "split a function": (
        ROWS,
        split("4", 0, "func.func"),
        "split: 'func.func' is not a structured op",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    payload, body, fact = REFUSALS[name]
    error = refusal(payload, schedule_of(*body))
    assert isinstance(error, SilenceableFailure)
    assert error.fact == fact
    assert error.place is not None and error.notes[0].place is not None
