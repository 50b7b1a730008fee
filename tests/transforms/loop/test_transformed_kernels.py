"""Loops that were transformed still become kernels that compute the same."""

from __future__ import annotations

import pytest

from support.transforms.loops import FOR
from support.transforms.schedules import (
    OP,
    for_loops,
    forall,
    match,
    patterns,
    schedule_of,
)
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

MATMUL = """\
func.func @f(%a: tensor<64x100xf32>, %b: tensor<100x96xf32>, %c: tensor<64x96xf32>)
    -> tensor<64x96xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x100xf32>, tensor<100x96xf32>)
                     outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}
"""
GRID = [
    match("%mm", "linalg.matmul"),
    forall("%t, %g", "%mm", "32, 32", "#gpu.block<y>, #gpu.block<x>"),
]
BY_K = [*GRID, for_loops("%u, %k", "%t", "0, 0, 32")]
LOOP = f"%l = transform.cast %k : {OP} to {FOR}"
CLEAN = [match("%func", "func.func"), patterns("canonicalization", to="%func")]


@pytest.mark.parametrize(
    "steps",
    [
        [*BY_K, LOOP, f"%m, %r = transform.loop.peel %l : ({FOR}) -> ({FOR}, {FOR})"],
        [
            *BY_K,
            LOOP,
            "%m, %r = transform.loop.peel %l {peel_front = true} "
            f": ({FOR}) -> ({FOR}, {FOR})",
        ],
        [*BY_K, f"transform.loop.unroll %k {{factor = 2}} : {OP}"],
        [*BY_K, f"transform.loop.unroll %k {{factor = 4}} : {OP}"],
        [
            *GRID,
            "%m = transform.gpu.map_forall_to_blocks %g generate_gpu_launch "
            f": ({OP}) -> {OP}",
        ],
    ],
    ids=["peel", "peel front", "unroll 2", "unroll 4", "blocks"],
)
def test_a_kernel_comes_out(steps: list[str]) -> None:
    assert_kernel(MATMUL, steps)


ADD = """\
func.func @f(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>, %c: tensor<64x96xf32>)
    -> tensor<64x96xf32> {
  %r = linalg.add ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>)
                  outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}
"""


def test_a_kernel_with_a_coalesced_loop_comes_out() -> None:
    steps = [
        match("%add", "linalg.add"),
        forall("%t, %g", "%add", "32, 0", "#gpu.block<x>"),
        for_loops("%u, %i, %j", "%t", "16, 32"),
        f"transform.apply_licm to %i : {OP}",
        f"%m = transform.loop.coalesce %i : ({OP}) -> {OP}",
    ]
    assert_kernel(ADD, steps)


def assert_kernel(text: str, steps: list[str]) -> None:
    """The schedule makes a kernel that computes what the payload does."""
    payload = parse_payload(text)
    schedule = schedule_of(*steps, *CLEAN)
    whole = f"module attributes {{transform.with_named_sequence}} {{\n{schedule}}}"
    program = build(payload, Schedule.from_text(whole, "schedule.mlir"))
    outcome = check_kernel_ir(program, make_case(payload, 3))
    assert outcome.ok, outcome.message
