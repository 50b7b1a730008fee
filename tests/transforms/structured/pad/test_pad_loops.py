"""structured.pad_tiling_interface and hoist_pad compute the same numbers.

The small scripts of `data/small/pad_loops.mlir` and `hoist_pad.mlir` compare them with
real MLIR.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.transforms.padded import THREE, ZEROS
from support.transforms.payloads import matmul
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    for_loops,
    match,
    refusal,
    schedule_of,
    transform,
)

SETTINGS = settings(max_examples=examples(12), deadline=None)
SIZES = st.tuples(*[st.integers(1, 9)] * 3)


def padded(how: str, op: str = "linalg.matmul") -> str:
    return schedule_of(
        match("%h", op),
        f"%a, %b = transform.structured.pad_tiling_interface %h to padding_sizes {how} "
        f": ({OP}) -> ({OP}, {OP})",
    )


def hoisted(tile: object, operand: int, loops: int, order: str = "") -> str:
    return schedule_of(
        match("%mm", "linalg.matmul"),
        for_loops("%t, %l0, %l1, %l2", "%mm", str(tile).strip("[]()")),
        f"%p, %q, %r = transform.structured.pad %t {{{ZEROS}, padding_dimensions = "
        f'[0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"}} : {THREE}',
        f"%one = transform.get_producer_of_operand %p[{operand}] : ({OP}) -> {OP}",
        f"%new = transform.structured.hoist_pad %one by {loops} loops{order} "
        f": ({OP}) -> {OP}",
    )


def test_golden(golden) -> None:
    ran = transform(matmul(10, 6, 7), padded("[12, 0, 8]"))
    golden("transforms/pad_tiling_interface.mlir", ran.text)
    ran = transform(matmul(10, 6, 7), hoisted((4, 4, 4), 1, 3, ", transpose by [1, 0]"))
    golden("transforms/hoist_pad.mlir", ran.text)


@SETTINGS
@given(SIZES, SIZES)
def test_loops_become_multiples(sizes, multiples) -> None:
    ran = transform(matmul(*sizes), padded(f"{list(multiples)} pad_to_multiple_of"))
    assert_same_numbers(ran, reduction=9)


@pytest.mark.slow
@SETTINGS
@given(SIZES, SIZES, st.integers(0, 1), st.integers(1, 3), st.booleans())
def test_hoisted_pads(sizes, tile, operand, loops, transposed) -> None:
    order = ", transpose by [1, 0]" if transposed else ""
    schedule = hoisted(tile, operand, loops, order)
    assert_same_numbers(transform(matmul(*sizes), schedule), reduction=9)


def test_a_padded_op_can_be_padded_again() -> None:
    again = padded("[12, 0, 8]").replace(
        "transform.yield",
        "%c, %d = transform.structured.pad_tiling_interface %a to padding_sizes [16] "
        f": ({OP}) -> ({OP}, {OP})\n    transform.yield",
    )
    assert_same_numbers(transform(matmul(10, 6, 7), again), reduction=7)


@pytest.mark.parametrize(
    ("how", "fact"),
    [
        ("[4]", "loop 0 runs 10 times, which is more than 4"),
        (
            "[0, 0, 8] {padding_values = [1.0 : f32, 1.0 : f32, 1.0 : f32]}",
            "these padding_values would change result 0, which is reduced over loop 2",
        ),
        ("[16] {padding_values = [0.0 : f32]}", "there are 1 padding_values for 3"),
    ],
)
def test_it_refuses(how, fact) -> None:
    error = refusal(matmul(10, 6, 7), padded(how))
    assert fact in error.fact


def test_a_pad_of_what_the_loops_compute_stays() -> None:
    error = refusal(matmul(10, 6, 7), hoisted((4, 4, 4), 2, 3))
    assert error.fact == "hoist_pad: the padded tensor is computed inside the loops"
