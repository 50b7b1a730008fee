"""fuse_sibling: two loops, or two grids, as one."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loop_nests import BOTH, BOTH_GRIDS, GRIDS, UP, siblings
from support.transforms.loops import FOR, LENGTH, LOOPS, as_upstream, transformed
from support.transforms.schedules import OP, refusal, schedule_of
from tilewright.ir.errors import DefiniteFailure

DOWN = f"%f = transform.loop.fuse_sibling %a into %b : ({OP}, {OP}) -> {OP}"
MARK = f'transform.annotate %f "new" : {OP}'
SIGNATURE = f"(index, index, tensor<{LENGTH}xf32>, f32) -> (f32, f32, f32)"


@needs_mlir
@pytest.mark.parametrize("step", [UP, DOWN])
def test_siblings_fused_as_upstream_does(step: str) -> None:
    payload = siblings((0, "%n", 1), (0, "%n", 1), "%c = arith.addi %n, %n : index")
    payload = payload.replace("= %b3 to", "= %b0 to").replace("step %b5", "step %b2")
    as_upstream(payload, *BOTH, step, MARK)


@pytest.mark.parametrize("step", [UP, DOWN])
def test_equal_constants_are_equal_bounds(step: str) -> None:
    """Upstream wants the very same value."""
    assert transformed(siblings(), *BOTH, step).count("scf.for") == 1


def test_common_launch_attributes_stay() -> None:
    stages = "triton.num_stages = 3 : i64"
    payload = siblings().replace("{first}", f"{{first, {stages}}}")
    assert stages not in transformed(payload, *BOTH, UP)
    payload = payload.replace("{second}", f"{{second, {stages}}}")
    assert f"{{{stages}}}" in transformed(payload, *BOTH, UP)


@pytest.mark.parametrize(
    ("payload", "step", "reason"),
    [
        (siblings(second=(1, 5, 1)), UP, "differ in kind, bounds, step or mapping"),
        (siblings(second=(0, 5, 2)), UP, "differ in kind, bounds, step or mapping"),
        (siblings(init="%a"), UP, "uses what is not there yet"),
        (siblings(init="%a"), DOWN, "used before, or in, the source"),
        (
            siblings(between="%c = arith.addf %a, %z : f32", init="%c"),
            UP,
            "uses what is not there yet",
        ),
        (
            siblings(between="%c = arith.addf %a, %z : f32", init="%c"),
            DOWN,
            "used before, or in",
        ),
        (
            siblings(between=f"%c:3 = func.call @f(%n, %s, %t, %a) : {SIGNATURE}"),
            DOWN,
            "used before, or in",
        ),
        (siblings(), UP.replace("%b into %a", "%a into %a"), "the same loop"),
    ],
)
def test_fuse_refuses(payload: str, step: str, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(*BOTH, step)).fact


@pytest.mark.parametrize(
    ("payload", "step"),
    [
        (siblings(between="%c = arith.addf %z, %z : f32", init="%c"), UP),
        (siblings(between="%c = arith.addf %a, %z : f32"), DOWN),
    ],
)
def test_ops_between_siblings_make_room(payload: str, step: str) -> None:
    """Upstream refuses both."""
    payload = payload.replace("return %a", "%d = arith.negf %a : f32\n  return %d")
    assert transformed(payload, *BOTH, step).count("scf.for") == 1


def test_fuse_wants_one_loop_of_each() -> None:
    step = UP.replace("%b into", "%l into").replace(f"({OP}, {OP})", f"({FOR}, {OP})")
    error = refusal(siblings(), schedule_of(LOOPS, *BOTH, step))
    assert isinstance(error, DefiniteFailure) and "got 2 and 1" in error.fact


def stores(first: str, second: str, between: str = "") -> str:
    """Two loops over buffers; `first` and `second` say where they read and write."""
    return f"""\
func.func @f(%n: index, %s: index, %t: memref<8x8xf32>, %u: memref<8x8xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {{
    %v = memref.load %t[%i, %c0] : memref<8x8xf32>
    memref.store %v, {first} : memref<8x8xf32>
  }} {{first}}
  {between}
  scf.for %i = %c0 to %c7 step %c1 {{
    %v = memref.load {second} : memref<8x8xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %t[%i, %c1] : memref<8x8xf32>
  }} {{second}}
  return
}}
"""


@needs_mlir
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("%u[%i, %c1]", "%u[%i, %c1]"),
        ("%u[%i, %c1]", "%t[%i, %i]"),
        ("%t[%i, %c7]", "%t[%i, %c7]"),
    ],
)
def test_loops_on_buffers_keep_to_their_own_rows(first: str, second: str) -> None:
    # What runs first must stay first: the loop that is fused comes first in the body.
    payload = stores(first, second)
    ours = transformed(payload, *BOTH, DOWN)
    assert ours.count("scf.for") == 1
    as_upstream(payload, *BOTH, DOWN)


def test_what_ran_first_stays_first() -> None:
    """The target's part comes first in the fused loop, so it must have run first."""
    payload = stores("%u[%i, %c1]", "%u[%i, %c1]")
    error = refusal(payload, schedule_of(*BOTH, UP))
    assert "the source touches, before it, what the target touches" in error.fact


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (stores("%u[%i, %c0]", "%u[%c1, %i]"), "may touch what another iteration"),
        (stores("%u[%c0, %c0]", "%u[%i, %c0]"), "may touch what another iteration"),
        (
            stores(
                "%u[%i, %c0]",
                "%t[%i, %i]",
                "%o = arith.constant 0.0 : f32\n"
                "  memref.store %o, %u[%c0, %c0] : memref<8x8xf32>",
            ),
            "between the loops touches the same buffer",
        ),
    ],
)
def test_loops_on_buffers_that_depend_are_refused(payload: str, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(*BOTH, DOWN)).fact


@needs_mlir
@pytest.mark.parametrize("step", [UP, DOWN])
def test_grids_fused_as_upstream_does(step: str) -> None:
    as_upstream(GRIDS, *BOTH_GRIDS, step, MARK)


def test_grids_of_another_mapping_are_refused() -> None:
    payload = GRIDS.replace(
        "{second, mapping = [#gpu.block<y>, #gpu.block<x>]}", "{second}"
    )
    assert "mapping" in refusal(payload, schedule_of(*BOTH_GRIDS, UP)).fact
