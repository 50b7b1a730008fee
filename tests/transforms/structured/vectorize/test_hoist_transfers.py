"""hoist_redundant_vector_transfers: vectors kept out of memory while loops run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loops import as_upstream, assert_round_trips, transformed
from support.transforms.schedules import OP, match, refusal, schedule_of, transform
from tilewright.ir.errors import DefiniteFailure

FUNC = match("%func", "func.func")
HOIST = (
    f"%h = transform.structured.hoist_redundant_vector_transfers %func : ({OP}) -> {OP}"
)
VERIFIED = HOIST.replace("%func :", "%func {verify_non_zero_trip} :")
BUFFER, VECTOR = "memref<16x16xf32>", "vector<4xf32>"
ADD = f"%w = arith.addf %v, %v : {VECTOR}"


def read(name: str, buffer: str = "%a", place: str = "%c0, %c0") -> str:
    inside = "{in_bounds = [true]}"
    return (
        f"{name} = vector.transfer_read {buffer}[{place}], %pad {inside} "
        f": {BUFFER}, {VECTOR}"
    )


def write(name: str, buffer: str = "%a", place: str = "%c0, %c0") -> str:
    inside = "{in_bounds = [true]}"
    return (
        f"vector.transfer_write {name}, {buffer}[{place}] {inside} : {VECTOR}, {BUFFER}"
    )


def looping(*body: str, upper: str = "%c12") -> str:
    lines = "\n".join(f"    {line}" for line in body)
    return f"""\
func.func @f(%n: index, %s: index, %a: {BUFFER}, %b: {BUFFER}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to {upper} step %c4 {{
{lines}
  }}
  return
}}
"""


def inner(*body: str, upper: str = "%n") -> list[str]:
    return [f"scf.for %j = %c0 to {upper} step %c4 {{", *body, "}"]


CASES = {
    "a pair": (looping(read("%v"), ADD, write("%w")), True),
    "a pair and a read": (
        looping(
            read("%v"),
            read("%u", "%b"),
            f"%w = arith.addf %v, %u : {VECTOR}",
            write("%w"),
        ),
        True,
    ),
    "another row each time": (
        looping(
            read("%u", "%b", "%i, %c0"),
            read("%v"),
            f"%w = arith.addf %v, %u : {VECTOR}",
            write("%w"),
        ),
        True,
    ),
    "only read": (looping(read("%v"), ADD, write("%w", "%b", "%i, %c0")), True),
    "written elsewhere": (
        looping(read("%v"), ADD, write("%w", "%a", "%c4, %c0")),
        False,
    ),
    "written where the loop is": (
        looping(read("%v"), ADD, write("%w", "%a", "%i, %c0")),
        False,
    ),
    "other transfers apart": (
        looping(
            read("%v"),
            ADD,
            write("%w"),
            read("%z", "%a", "%c4, %c0"),
            write("%z", "%a", "%c4, %c4"),
        ),
        True,
    ),
    "other transfers overlap": (
        looping(read("%v"), ADD, write("%w"), read("%z", "%a", "%c0, %c1")),
        False,
    ),
    "other transfers anywhere": (
        looping(
            read("%v"), ADD, write("%w"), read("%z", "%a", "%i, %c0"), write("%z", "%b")
        ),
        False,
    ),
    "a scalar load": (
        looping(
            read("%v"),
            ADD,
            write("%w"),
            f"%e = memref.load %a[%c0, %i] : {BUFFER}",
            f"memref.store %e, %b[%c0, %c0] : {BUFFER}",
        ),
        False,
    ),
    "written before it is read": (
        looping(read("%u", "%b"), write("%u"), read("%v"), ADD, write("%w", "%b")),
        False,
    ),
    "written back as it was": (looping(read("%v"), write("%v")), True),
    "a nest": (looping(*inner(read("%v"), ADD, write("%w"))), True),
    "a loop that may not run": (
        looping(read("%v"), ADD, write("%w"), upper="%n"),
        True,
    ),
}


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(("payload", "hoists"), CASES.values(), ids=CASES)
def test_hoisted_as_upstream_does(payload: str, hoists: bool) -> None:
    before = payload.split("scf.for")[0].count("transfer_read")
    after = as_upstream(payload, FUNC, HOIST).split("scf.for")[0]
    assert (after.count("transfer_read") > before) == hoists


@needs_mlir
@pytest.mark.parametrize("upper", ["%n", "%c4"])
def test_only_out_of_loops_that_run(upper: str) -> None:
    payload = looping(*inner(read("%v"), ADD, write("%w"), upper=upper))
    after = as_upstream(payload, FUNC, VERIFIED).split("scf.for")[0]
    assert ("transfer_read" in after) == (upper == "%c4")


MASKED = f"""\
func.func @f(%n: index, %s: index, %a: {BUFFER}, %m: vector<4xi1>, %k: vector<4xi1>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  PAD
  scf.for %i = %c0 to %c12 step %c1 {{
    %v = vector.transfer_read %a[%c0, %c0], %pad, %m {{in_bounds = [true]}} : {BUFFER}, {VECTOR}
    %w = arith.addf %v, %v : {VECTOR}
    vector.transfer_write %w, %a[%c0, %c0], WHICH {{in_bounds = [true]}} : {VECTOR}, {BUFFER}
  }}
  return
}}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("pad", "mask", "hoists"),
    [
        ("%pad = ub.poison : f32", "%m", True),
        ("%pad = arith.constant 1.0 : f32", "%m", False),
        ("%pad = ub.poison : f32", "%k", False),
    ],
)
def test_masks_must_agree(pad: str, mask: str, hoists: bool) -> None:
    """Upstream does not look at masks at all."""
    payload = MASKED.replace("PAD", pad).replace("WHICH", mask)
    after = transform(payload, schedule_of(FUNC, HOIST)).text
    assert ("iter_args" in after) == hoists


def test_through_a_view_of_its_own() -> None:
    """Upstream leaves views alone."""
    view = "memref<8x16xf32, strided<[16, 1]>>"
    part = f"%p = memref.subview %a[0, 0] [8, 16] [1, 1] : {BUFFER} to {view}"
    pair = [read("%v", "%p"), ADD, write("%w", "%p")]
    on_view = [line.replace(BUFFER, view) for line in pair]
    payload = looping(*on_view).replace("  %pad", f"  {part}\n  %pad")
    assert "iter_args" in transformed(payload, FUNC, HOIST)
    touched = looping(*on_view, read("%z"), write("%z", "%b", "%i, %c0"))
    touched = touched.replace("  %pad", f"  {part}\n  %pad")
    assert "iter_args" not in transformed(touched, FUNC, HOIST)


CARRIED = f"""\
func.func @f(%n: index, %s: index, %t: tensor<16x16xf32>) -> tensor<16x16xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<16x16xf32>) {{
    %v = vector.transfer_read %x[%c0, %c0], %pad {{in_bounds = [true]}}
      : tensor<16x16xf32>, {VECTOR}
    %w = vector.transfer_write %v, %x[%c0, %c0] {{in_bounds = [true]}}
      : {VECTOR}, tensor<16x16xf32>
    scf.yield %w : tensor<16x16xf32>
  }}
  return %r : tensor<16x16xf32>
}}
"""


def test_a_subset_of_a_tensor_handed_on_as_it_was_read() -> None:
    loops = match("%l", "scf.for")
    step = f"transform.loop.hoist_loop_invariant_subsets %l : {OP}"
    assert "-> (tensor<16x16xf32>, vector<4xf32>)" in transformed(CARRIED, loops, step)


def test_a_second_application_changes_nothing() -> None:
    payload = CASES["a nest"][0]
    once = transform(payload, schedule_of(FUNC, HOIST)).text
    again = HOIST.replace("%h =", "%g =").replace("%func", "%h")
    assert transform(payload, schedule_of(FUNC, HOIST, again)).text == once


def test_only_functions_are_accepted() -> None:
    schedule = schedule_of(match("%func", "scf.for"), HOIST)
    error = refusal(CASES["a pair"][0], schedule)
    assert isinstance(error, DefiniteFailure) and "is no function" in error.fact


def test_the_target_is_consumed() -> None:
    late = f'transform.annotate %func "late" : {OP}'
    error = refusal(CASES["a pair"][0], schedule_of(FUNC, HOIST, late))
    assert "invalidated" in error.fact


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(CASES["a nest"][0], schedule_of(FUNC, HOIST)).text
    golden("transforms/hoist_redundant_vector_transfers.mlir", after)


@needs_mlir
@pytest.mark.parametrize("step", [HOIST, VERIFIED])
def test_round_trip(step: str) -> None:
    assert_round_trips(FUNC, step)
