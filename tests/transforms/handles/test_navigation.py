"""Queries and handle ops: what they point at, as real MLIR has it, and refusals.

Each query marks what it found with `transform.annotate`; the marked payloads must be
the same text for both.
"""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.schedules import (
    OP,
    by_real_mlir,
    match,
    refusal,
    schedule_of,
    transform,
)

VALUE = "!transform.any_value"
PARAM = "!transform.param<i64>"

PAYLOAD = """
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.add ins(%mm, %fill : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.mul ins(%a, %mm : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}
"""


def mark(handle: str, name: str = "found") -> str:
    return f'transform.annotate {handle} "{name}" : {OP}'


QUERIES = {
    "parent": [
        match("%h", "linalg.matmul"),
        f"%p = transform.get_parent_op %h : ({OP}) -> {OP}",
        mark("%p"),
    ],
    "parent by name": [
        match("%h", "linalg.matmul"),
        f'%p = transform.get_parent_op %h {{op_name = "func.func"}} : ({OP}) -> {OP}',
        mark("%p"),
    ],
    "isolated parent": [
        match("%h", "linalg.matmul"),
        f"%p = transform.get_parent_op %h {{isolated_from_above}} : ({OP}) -> {OP}",
        mark("%p"),
    ],
    "one parent of many": [
        match("%h", "linalg.*"),
        f"%p = transform.get_parent_op %root {{allow_empty_results, nth_parent = 5}} "
        f": ({OP}) -> {OP}",
        mark("%p"),
    ],
    "producer": [
        match("%h", "linalg.mul"),
        f"%p = transform.get_producer_of_operand %h[1] : ({OP}) -> {OP}",
        mark("%p"),
    ],
    "consumers": [
        match("%h", "linalg.matmul"),
        f"%c = transform.get_consumers_of_result %h[0] : ({OP}) -> {OP}",
        mark("%c"),
    ],
    "operands and their definitions": [
        match("%h", "linalg.mul"),
        f"%v = transform.get_operand %h[0, -1] : ({OP}) -> {VALUE}",
        f"%d = transform.get_defining_op %v : ({VALUE}) -> {OP}",
        mark("%d"),
    ],
    "all but one operand": [
        match("%h", "linalg.mul"),
        f"%v = transform.get_operand %h[except(1)] : ({OP}) -> {VALUE}",
        f"%d = transform.get_defining_op %v : ({VALUE}) -> {OP}",
        mark("%d"),
    ],
    "results": [
        match("%h", "linalg.matmul"),
        f"%v = transform.get_result %h[all] : ({OP}) -> {VALUE}",
        f"%d = transform.get_defining_op %v : ({VALUE}) -> {OP}",
        mark("%d"),
    ],
    "select": [
        f'%h = transform.structured.match ops{{["linalg.fill", "linalg.add"]}} in %root'
        f" : ({OP}) -> {OP}",
        f'%s = transform.select "linalg.add" in %h : ({OP}) -> {OP}',
        mark("%s"),
    ],
    "cast": [
        match("%h", "linalg.add"),
        f'%s = transform.cast %h : {OP} to !transform.op<"linalg.add">',
        'transform.annotate %s "found" : !transform.op<"linalg.add">',
    ],
    "split": [
        f'%h = transform.structured.match ops{{["linalg.fill", "linalg.add"]}} in %root'
        f" : ({OP}) -> {OP}",
        f"%p, %q = transform.split_handle %h : ({OP}) -> ({OP}, {OP})",
        mark("%p", "first"),
        mark("%q", "second"),
    ],
    "split with overflow": [
        f"%h = transform.structured.match interface{{LinalgOp}} in %root "
        f": ({OP}) -> {OP}",
        f"%p, %q, %r = transform.split_handle %h {{overflow_result = 1}} "
        f": ({OP}) -> ({OP}, {OP}, {OP})",
        mark("%p", "first"),
        mark("%q", "middle"),
        mark("%r", "last"),
    ],
    "split with too few": [
        match("%h", "linalg.add"),
        f"%p, %q = transform.split_handle %h {{fail_on_payload_too_small = false}} "
        f": ({OP}) -> ({OP}, {OP})",
        mark("%p", "first"),
        mark("%q", "second"),
    ],
    "split of nothing": [
        match("%h", "linalg.sub"),
        f"%p, %q = transform.split_handle %h : ({OP}) -> ({OP}, {OP})",
        mark("%p", "first"),
    ],
    "foreach": [
        f"%h = transform.structured.match interface{{LinalgOp}} in %root "
        f": ({OP}) -> {OP}",
        f"%all = transform.foreach %h : {OP} -> {OP} {{",
        f"^bb0(%one: {OP}):",
        f"  %p = transform.get_parent_op %one : ({OP}) -> {OP}",
        f"  transform.yield %one : {OP}",
        "}",
        mark("%all"),
    ],
    "count": [
        f"%h = transform.structured.match interface{{LinalgOp}} in %root "
        f": ({OP}) -> {OP}",
        f"%n = transform.num_associations %h : ({OP}) -> {PARAM}",
        match("%f", "func.func"),
        f'transform.annotate %f "count" = %n : {OP}, {PARAM}',
    ],
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", QUERIES)
@needs_mlir
def test_finds_what_real_mlir_finds(name: str) -> None:
    schedule = schedule_of(*QUERIES[name])
    ours = transform(PAYLOAD, schedule)
    theirs = by_real_mlir(PAYLOAD, schedule)
    # The module's own attributes differ: ours never held the schedule.
    assert functions(mlir_opt(ours.text)) == functions(theirs)


def functions(text: str) -> str:
    return text.partition("func.func")[2]


REFUSALS = {
    "no such parent": (
        [
            match("%h", "linalg.add"),
            f'%p = transform.get_parent_op %h {{op_name = "scf.for"}} : ({OP}) -> {OP}',
        ],
        "could not find a parent op",
    ),
    "no such operand": (
        [
            match("%h", "linalg.add"),
            f"%p = transform.get_producer_of_operand %h[7] : ({OP}) -> {OP}",
        ],
        "there is no operand 7, the op has 3",
    ),
    "an argument has no producer": (
        [
            match("%h", "linalg.matmul"),
            f"%p = transform.get_producer_of_operand %h[0] : ({OP}) -> {OP}",
        ],
        "operand 0 is an argument",
    ),
    "an argument has no definition": (
        [
            match("%h", "linalg.matmul"),
            f"%v = transform.get_operand %h[0] : ({OP}) -> {VALUE}",
            f"%d = transform.get_defining_op %v : ({VALUE}) -> {OP}",
        ],
        "is an argument of a block",
    ),
    "no such result": (
        [
            match("%h", "linalg.matmul"),
            f"%v = transform.get_result %h[1] : ({OP}) -> {VALUE}",
        ],
        "there is no result 1, the op has 1",
    ),
    "a cast to another op": (
        [
            match("%h", "linalg.matmul"),
            f'%s = transform.cast %h : {OP} to !transform.op<"linalg.add">',
        ],
        "'linalg.matmul' is not of type",
    ),
    "a result declared another op": (
        [
            f'%s = transform.structured.match ops{{["linalg.add"]}} in %root : ({OP})'
            ' -> !transform.op<"linalg.mul">',
        ],
        "declared",
    ),
    "too many to split": (
        [
            f"%h = transform.structured.match interface{{LinalgOp}} in %root "
            f": ({OP}) -> {OP}",
            f"%p, %q = transform.split_handle %h : ({OP}) -> ({OP}, {OP})",
        ],
        "points at 4 ops, 2 results are bound",
    ),
    "too few to split": (
        [
            match("%h", "linalg.add"),
            f"%p, %q = transform.split_handle %h : ({OP}) -> ({OP}, {OP})",
        ],
        "points at 1 ops, 2 results are bound",
    ),
    "foreach over handles of different lengths": (
        [
            match("%h", "linalg.add"),
            f"%g = transform.structured.match interface{{LinalgOp}} in %root "
            f": ({OP}) -> {OP}",
            f"transform.foreach %h, %g : {OP}, {OP} {{",
            f"^bb0(%p: {OP}, %q: {OP}):",
            "}",
        ],
        "point at 1, 4 ops",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refuses(name: str) -> None:
    body, words = REFUSALS[name]
    error = refusal(PAYLOAD, schedule_of(*body))
    assert words in str(error)
    assert error.place is not None


def test_values_follow_their_replacement() -> None:
    """A value handle reads the value that took the place of the old one."""
    ran = transform(
        PAYLOAD,
        schedule_of(
            match("%h", "linalg.add"),
            f"%v = transform.get_result %h[0] : ({OP}) -> {VALUE}",
            f"%t, %l = transform.structured.tile_using_for %h tile_sizes [4] "
            f": ({OP}) -> ({OP}, {OP})",
            match("%again", "scf.for"),
            f"%w = transform.get_result %again[0] : ({OP}) -> {VALUE}",
            f"%d = transform.get_defining_op %w : ({VALUE}) -> {OP}",
            mark("%d"),
        ),
    )
    assert "scf.for" in ran.text and "found" in ran.text


def test_a_value_of_a_consumed_op_is_gone() -> None:
    error = refusal(
        PAYLOAD,
        schedule_of(
            match("%h", "linalg.add"),
            f"%v = transform.get_result %h[0] : ({OP}) -> {VALUE}",
            f"%t, %l = transform.structured.tile_using_for %h tile_sizes [4] "
            f": ({OP}) -> ({OP}, {OP})",
            f"%d = transform.get_defining_op %v : ({VALUE}) -> {OP}",
        ),
    )
    assert "after it was invalidated" in str(error)
