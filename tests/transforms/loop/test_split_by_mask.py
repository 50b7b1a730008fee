"""`split_by_mask`: loops over tiles that a mask leaves whole, and over cut ones."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.masked_loops import (
    CAUSAL,
    DOCUMENT,
    Masked,
    band,
    bounds,
    inputs,
    later,
    sampled,
    shifted,
    window,
)
from support.transforms.schedules import (
    OP,
    Ran,
    evaluate,
    match,
    patterns,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

CLEAN = patterns("canonicalization")
LOOP = match("%l", "scf.for")
TRIM = f"%t = transform.tilewright.trim_loop %l : ({OP}) -> {OP}"
SPLIT = f"%w, %m = transform.tilewright.split_by_mask %t : ({OP}) -> ({OP}, {OP})"
ALONE = SPLIT.replace("%t", "%l")
MARKS = [
    f'transform.annotate %w "whole" : {OP}',
    f'transform.annotate %m "masked" : {OP}',
]

MASKS = {
    "causal": CAUSAL,
    "bottom_right": shifted(5),
    "top_left": shifted(-5),
    "window": window(24),
    "band": band(16),
    "later": later(6),
    "document": DOCUMENT,
}


def split(payload: str, *more: str) -> Ran:
    return transform(payload, schedule_of(CLEAN, LOOP, TRIM, SPLIT, *MARKS, *more))


def assert_same(ran: Ran, rows: int, keys: int) -> None:
    given = inputs(rows, keys)
    for want, got in zip(
        evaluate(ran.before, given, shuffle=None),
        evaluate(ran.module, given),
        strict=True,
    ):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def loops_of(text: str) -> list[str]:
    """The texts of the loops, each up to the next one."""
    return text.split("scf.for ")[1:]


def test_golden(golden) -> None:
    golden("transforms/split_by_mask.mlir", split(Masked(window(24)).product()).text)


@pytest.mark.parametrize("mask", ["window"])
def test_numbers(mask: str) -> None:
    assert_same(split(Masked(MASKS[mask], 29, 31).attention(), CLEAN), 29, 31)


@pytest.mark.slow
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("kind", ["attention", "product"])
@pytest.mark.parametrize("steps", [[TRIM, SPLIT], [ALONE]], ids=["trimmed", "whole"])
def test_numbers_of_all(mask: str, kind: str, steps: list[str]) -> None:
    for rows, keys, tile, is_open in sampled(mask + kind, 10):
        sizes = ("?", "?") if is_open else (rows, keys)
        payload = getattr(Masked(MASKS[mask], *sizes, tile), kind)()
        try:
            ran = transform(payload, schedule_of(CLEAN, LOOP, *steps, CLEAN))
        except SilenceableFailure as error:
            assert "cuts the tile of every iteration" in str(error) or (
                "no condition empties an iteration" in str(error)
            )
        else:
            assert_same(ran, rows, keys)


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (CAUSAL, [("0", "d0 * 8"), ("d0 * 8", "d0 * 8 + 8")]),
        (later(8), [("d0 * 8 + 8", "min d0 * 8 + 16, 32"), ("d0 * 8 + 16", "32")]),
        (
            window(16),
            [
                ("max 0, d0 * 8 + -16", "max 0, d0 * 8 + -8"),
                ("max 0, d0 * 8 + -8", "d0 * 8"),
                ("d0 * 8", "d0 * 8 + 8"),
            ],
        ),
    ],
    ids=["causal", "later", "window"],
)
def test_bounds(mask: str, expected: list[tuple[str, str]]) -> None:
    assert bounds(split(Masked(mask).product()).text) == expected


def test_masks_stay_in_the_cut_parts() -> None:
    ran = split(Masked(window(24)).product())
    head, whole, tail = loops_of(ran.text)
    assert "arith.cmpi" not in whole and "arith.select" not in whole
    assert "linalg.index" not in whole
    # A tile is cut by one end of the window; the other end is not compared.
    assert "arith.cmpi sgt" in head and "arith.cmpi sle" not in head
    assert "arith.cmpi sle" in tail and "arith.cmpi sgt" not in tail
    assert ["masked}" in part for part in (head, whole, tail)] == [True, False, True]
    assert "whole}" in whole


def test_a_part_that_reads_a_tensor_stays_a_mask() -> None:
    """Where all keys lie before all rows, the documents alone are compared."""
    whole, cut = loops_of(split(Masked(DOCUMENT).attention()).text)
    assert "arith.cmpi eq" in whole and "arith.cmpi sle" not in whole
    assert "arith.andi" not in whole and "arith.andi" in cut


@pytest.mark.parametrize("sizes", [(29, 31), (29, "?")], ids=str)
def test_tiles_of_the_whole_part_are_static(sizes: tuple[int, int | str]) -> None:
    whole, cut = loops_of(split(Masked(CAUSAL, *sizes).product(), CLEAN).text)
    assert "affine.min" not in whole and "tensor<4x4xf32>" in whole
    assert "affine.min" in cut


def test_attributes_are_on_all_parts() -> None:
    note = (
        f'transform.annotate %l "triton.num_stages" = %n : {OP}, !transform.param<i64>'
    )
    two = "%n = transform.param.constant 2 : i64 -> !transform.param<i64>"
    steps = [CLEAN, LOOP, two, note, TRIM, SPLIT]
    ran = transform(Masked(window(24)).product(), schedule_of(*steps))
    assert ran.text.count("triton.num_stages = 2") == 3


def test_a_loop_that_is_whole_loses_its_mask() -> None:
    """The keys end before those that the first row may not see."""
    payload = Masked(shifted(40)).product()
    ran = transform(payload, schedule_of(CLEAN, LOOP, ALONE, *MARKS))
    assert bounds(ran.text) == [("0", "32")]
    assert "arith.select" not in ran.text and "masked" not in ran.text
    error = refusal(payload, schedule_of(CLEAN, LOOP, TRIM))
    assert "no condition empties an iteration" in str(error)


def test_a_second_application_finds_nothing() -> None:
    again = f"%x, %y = transform.tilewright.split_by_mask %w : ({OP}) -> ({OP}, {OP})"
    steps = [CLEAN, LOOP, TRIM, SPLIT]
    error = refusal(Masked().product(), schedule_of(*steps, again))
    assert "no condition in the loop is linear in the loop's index" in str(error)
    error = refusal(Masked().product(), schedule_of(*steps, again.replace("%w", "%m")))
    assert "the condition cuts the tile of every iteration" in str(error)


@needs_mlir
@pytest.mark.parametrize("mask", ["window", "document"])
def test_real_mlir_accepts_the_result(mask: str) -> None:
    text = split(Masked(MASKS[mask], "?", 31).attention()).text
    parts = 3 if mask == "window" else 2
    assert mlir_opt(text, "--canonicalize", "--cse").count("scf.for ") == parts


def test_refusals_change_nothing() -> None:
    error = refusal(Masked(window(8)).product(), schedule_of(CLEAN, LOOP, ALONE))
    assert "the condition cuts the tile of every iteration" in str(error)
    payload = Masked("%c = arith.constant true").product()
    error = refusal(payload, schedule_of(CLEAN, LOOP, ALONE))
    assert "no condition in the loop is linear" in str(error)


TW = """
schedule s(root) {
  loop = match "scf.for" in root
  pipeline loop stages = 2
  loop = trim loop
  whole, masked = split_by_mask loop
}
"""


def test_the_kernel_has_two_loops_and_one_mask() -> None:
    schedule = Schedule.from_text(TW)
    assert Schedule.from_text(schedule.to_tw()).to_mlir() == schedule.to_mlir()
    payload = parse_payload(Masked(tile=(16, 16)).product())
    text = build(payload, schedule, {}, verify_steps=True).program.text
    assert text.count("tl.where") == 1
    assert text.count("num_stages=2") == 3  # both loops and the launch


def test_a_cut_part_of_one_iteration_is_promoted() -> None:
    """With tiles as high as wide, the diagonal has one tile: no loop is left of it."""
    promote = f"transform.loop.promote_if_one_iteration %m : {OP}"
    steps = [CLEAN, LOOP, TRIM, SPLIT, promote]
    ran = transform(Masked(tile=(8, 8)).product(), schedule_of(*steps))
    assert bounds(ran.text) == [("0", "d0 * 8")]
    assert_same(ran, 32, 32)
