"""Partitions of warps as processes: right numbers in any order, and each mistake."""

from __future__ import annotations

import numpy as np
import pytest

from support.ir.specialized_kernel import KERNEL, changed
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Interleaving, Options, run
from tilewright.ir.text import parse_module, to_text

ORDERS = (
    Interleaving(),
    Interleaving(late_copies=True),
    Interleaving(ahead="load"),
    Interleaving(ahead="load", late_copies=True),
    Interleaving(ahead="compute"),
    *(Interleaving(seed=seed) for seed in range(5)),
)

A = np.random.default_rng(0).standard_normal((64, 80)).astype(np.float16)
B = np.random.default_rng(1).standard_normal((80, 8)).astype(np.float16)


def interpret(text: str, order: Interleaving = Interleaving()) -> np.ndarray:  # noqa: B008
    module = parse_module(text, "warps.mlir", payload_context())
    return run(module, [A, B], options=Options(interleaving=order))[0]


def mistake(text: str, order: Interleaving = Interleaving()) -> UserError:  # noqa: B008
    with pytest.raises(UserError) as raised:
        interpret(text, order)
    return raised.value


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_the_numbers_are_right_in_any_order(order: Interleaving) -> None:
    expected = A.astype(np.float32) @ B.astype(np.float32)
    np.testing.assert_allclose(interpret(KERNEL, order), expected, rtol=1e-5, atol=1e-5)


def test_the_text_is_read_back() -> None:
    module = parse_module(KERNEL, "warps.mlir", payload_context())
    text = to_text(module)
    assert to_text(parse_module(text, "warps.mlir", payload_context())) == text


ARRIVE = "          warps.arrive %empty[%slot] : !warps.barriers<2>\n"
WAIT_FULL = "          warps.wait %full[%slot] parity %phase : !warps.barriers<2>\n"
WAIT_EMPTY = "          warps.wait %empty[%slot] parity %phase : !warps.barriers<2>\n"
DONE = "        %done = warps.dot_wait 0, %sum : vector<64x8xf32> to vector<64x8xf32>\n"
DOT_WAIT = "%next = warps.dot_wait 0,"


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_a_slot_that_nobody_releases_hangs(order: Interleaving) -> None:
    error = mistake(changed((ARRIVE, "")), order)
    assert "the program hangs" in error.fact
    assert (
        "load waits for parity 0 of empty[0] (phase 0, 0 of 1 arrivals)" in error.fact
    )
    assert "compute waits for parity 1 of full[0] (phase 1" in error.fact
    assert error.place is not None and "warps.wait" in (error.place.text or "")


def test_a_barrier_that_counts_too_many_arrivals_hangs() -> None:
    wrong = changed(
        ("%empty = warps.barriers arrivals 1", "%empty = warps.barriers arrivals 2")
    )
    assert "empty[0] (phase 0, 1 of 2 arrivals)" in mistake(wrong).fact


def test_the_wrong_parity_hangs() -> None:
    """Both sides wait for the phase that the other has to end."""
    wrong = changed((WAIT_EMPTY, WAIT_EMPTY.replace("%phase", "%odd")))
    fact = mistake(wrong).fact
    assert "load waits for parity 0 of empty[0]" in fact
    assert "compute waits for parity 0 of full[0]" in fact


def test_bytes_that_no_copy_brings_hang() -> None:
    assert "2304 bytes to come" in mistake(changed(("bytes 2304", "bytes 4608"))).fact


def test_bytes_that_nobody_expects() -> None:
    """The phase ends with the first copy; the second one is not waited for."""
    few = changed(("bytes 2304", "bytes 2048"))
    assert "compute reads b_ring[0], which is not full" in mistake(few).fact
    late = mistake(few, Interleaving(seed=3)).fact
    assert "which is not full" in late or "a copy brings" in late


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_a_tile_that_is_not_full_is_read(order: Interleaving) -> None:
    """Also where the copy happens to be complete."""
    error = mistake(changed((WAIT_FULL, "")), order)
    assert "compute reads a_ring[0], which is not full" in error.fact


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_a_tile_that_is_still_read_is_written(order: Interleaving) -> None:
    error = mistake(changed((WAIT_EMPTY, "")), order)
    too_early = "load writes a_ring[0], which"
    in_its_phase = "load arrives at full[0] once more than phase 0 counts"
    assert too_early in error.fact or in_its_phase in error.fact
    assert error.place is not None and error.place.line > 40


def test_a_slot_that_is_released_before_its_product_is_complete() -> None:
    """A missing wait between a product and the release of what it reads."""
    late = changed(
        (DOT_WAIT, "%next = warps.dot_wait 1,"),
        ("        %out = warps.slot", f"{DONE}        %out = warps.slot"),
        ("warps.write %sum", "warps.write %done"),
    )
    assert "load writes a_ring[0], which is still read" in mistake(late).fact


def test_a_product_that_is_not_waited_for_is_read() -> None:
    never = changed((DOT_WAIT, "%next = warps.dot_wait 1,"))
    never = never.replace("%end = arith.constant 5", "%end = arith.constant 1")
    assert "the result of a product that may still run" in mistake(never).fact


def test_an_arrival_too_many() -> None:
    twice = changed((ARRIVE, ARRIVE + ARRIVE))
    assert "empty[0]" in mistake(twice).fact


def test_a_missing_fence() -> None:
    error = mistake(changed(("        warps.fence\n", "")))
    assert "copies c_ring[0] out without a fence" in error.fact


def test_warps_that_did_not_wait_for_one_another() -> None:
    error = mistake(changed(("        warps.sync\n", "")))
    assert "some of its warps may still write it" in error.fact


def test_a_copy_that_still_runs_at_the_end() -> None:
    error = mistake(changed(("        warps.store_wait 0\n", "")))
    assert "ends while this copy reads shared memory" in error.fact
    more = changed(("%width = arith.constant 16", "%width = arith.constant 8"))
    ahead = more.replace("%end = arith.constant 5", "%end = arith.constant 6").replace(
        "%end = arith.constant 6", "%end = arith.constant 5", 1
    )
    error = mistake(ahead, Interleaving(late_copies=True))
    assert "nobody has waited for it" in error.fact


def test_a_tile_that_a_copy_still_reads_is_written_again() -> None:
    write = "        warps.write %sum to %out"
    copy = (
        "        warps.copy_out %out to %c[%zero, %zero] : "
        "!warps.view<vector<64x8xf32>>, !kernel.descriptor<vector<64x8xf32>>\n"
    )
    again = (
        f"{copy}{write} : vector<64x8xf32>, !warps.view<vector<64x8xf32>>\n"
        f"        warps.fence\n        warps.sync\n{copy}"
    )
    assert (
        "writes c_ring[0], which is still read" in mistake(changed((copy, again))).fact
    )
    waits = again.replace(write, f"        warps.store_wait 0\n{write}")
    assert "which is still read" in mistake(changed((copy, waits))).fact
    syncs = again.replace(
        write, f"        warps.store_wait 0\n        warps.sync\n{write}"
    )
    interpret(changed((copy, syncs)))


def test_a_slot_that_does_not_exist() -> None:
    wrong = changed(("warps.slot %c_ring[%zero]", "warps.slot %c_ring[%one]"))
    assert "there is no slot 1, the ring has 1" in mistake(wrong).fact


def test_more_registers_than_there_are() -> None:
    """Warps that ask for registers which no other gives back wait forever."""
    greedy = changed(
        ('"load" warps 1 registers 24', '"load" warps 8 registers 240'),
    )
    with pytest.raises(UserError, match="warps would wait for registers forever"):
        parse_module(greedy, "warps.mlir", payload_context())


def test_a_product_of_few_rows_is_refused() -> None:
    with pytest.raises(UserError, match="32 rows are not a multiple of 64"):
        parse_module(KERNEL.replace("64x", "32x"), "warps.mlir", payload_context())
