"""`trim_loop`: loops shrunk to the iterations that a mask does not empty."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.masked_loops import (
    CAUSAL,
    DOCUMENT,
    KEYS,
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

CLEAN = patterns("canonicalization")
TRIM = [
    match("%l", "scf.for"),
    f"%t = transform.tilewright.trim_loop %l : ({OP}) -> {OP}",
]
AGAIN = f"%u = transform.tilewright.trim_loop %t : ({OP}) -> {OP}"

MASKS = {
    "causal": CAUSAL,
    "bottom_right": shifted(5),
    "top_left": shifted(-5),
    "window": window(10),
    "band": band(12),
    "later": later(6),
    "keys": KEYS,
    "document": DOCUMENT,
}


def trimmed(payload: str) -> Ran:
    return transform(payload, schedule_of(CLEAN, *TRIM))


def assert_same(payload: str, rows: int, keys: int) -> None:
    ran = trimmed(payload)
    given = inputs(rows, keys)
    for want, got in zip(
        evaluate(ran.before, given, shuffle=None),
        evaluate(ran.module, given),
        strict=True,
    ):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["attention", "product"])
def test_golden(golden, kind: str) -> None:
    payload = getattr(Masked(window(10)), kind)()
    golden(f"transforms/trim_loop_{kind}.mlir", trimmed(payload).text)


@pytest.mark.parametrize("mask", ["band", "later"])
def test_numbers(mask: str) -> None:
    """Uneven tiles, and rows without a key (`later`), give what all iterations give."""
    assert_same(Masked(MASKS[mask], 29, 31).attention(), 29, 31)


@pytest.mark.slow
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("kind", ["attention", "product"])
def test_numbers_of_all(mask: str, kind: str) -> None:
    for rows, keys, tile, is_open in sampled(mask + kind, 12):
        sizes = ("?", "?") if is_open else (rows, keys)
        try:
            assert_same(getattr(Masked(MASKS[mask], *sizes, tile), kind)(), rows, keys)
        except SilenceableFailure as error:
            assert "no condition empties an iteration" in str(error)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("mask", "lower", "upper"),
    [
        (CAUSAL, "0", "d0 * 8 + 8"),
        (shifted(-5), "0", "d0 * 8 + 3"),
        (shifted(5), "0", "min 32, d0 * 8 + 13"),
        (window(16), "max 0, d0 * 8 + -16", "d0 * 8 + 8"),
        (window(10), "max 0, d0 * 8 + -12", "d0 * 8 + 8"),
        (band(12), "max 0, d0 * 8 + -12", "min 32, d0 * 8 + 19"),
        (later(8), "d0 * 8 + 8", "32"),
        (KEYS, "0", "min 32, s0"),
    ],
)
def test_bounds(mask: str, lower: str, upper: str) -> None:
    assert bounds(trimmed(Masked(mask).product()).text) == [(lower, upper)]


def test_tiles_of_more_keys_than_rows_stay_where_they_were() -> None:
    text = trimmed(Masked(window(10), tile=(4, 8)).product()).text
    assert bounds(text) == [("d0 floordiv 8 * 8", "d0 * 4 + 4")]
    assert "affine.max affine_map<(d0) -> (((d0 * 4) + -9), 0)>" in text


def test_bounds_of_open_sizes() -> None:
    text = trimmed(Masked(CAUSAL, "?", "?").attention()).text
    assert bounds(text) == [("0", "min s0, d0 * 8 + 8")]


def test_a_second_application_finds_nothing() -> None:
    error = refusal(Masked().attention(), schedule_of(CLEAN, *TRIM, AGAIN))
    assert "no condition empties an iteration" in str(error)


@needs_mlir
@pytest.mark.parametrize("mask", ["window", "document"])
def test_real_mlir_accepts_the_result(mask: str) -> None:
    text = trimmed(Masked(MASKS[mask], "?", 31).attention()).text
    assert mlir_opt(text, "--canonicalize", "--cse").count("scf.for ") == 1


def test_nan_in_a_skipped_block_is_not_seen() -> None:
    """Before, 0 * NaN makes every row NaN; after, only the rows that see the key."""
    ran = trimmed(Masked().product())
    given = inputs(32, 32)
    given[2][31] = np.nan
    assert np.isnan(evaluate(ran.before, given)[0]).any(axis=1).all()
    found = np.isnan(evaluate(ran.module, given)[0]).any(axis=1)
    assert list(found) == [row >= 24 for row in range(32)]


REFUSED = {
    "no mask": (
        Masked("%c = arith.constant true"),
        "no condition on indices is in the loop",
    ),
    "documents alone": (
        Masked("\n".join(DOCUMENT.splitlines()[:3]).replace("%same", "%c")),
        "the condition is not linear in the loop's index",
    ),
    "keys by tensor": (
        Masked(
            """%first = tensor.extract %doc[%ig] : tensor<@documents@xi32>
          %until = arith.index_cast %first : i32 to index
          %c = arith.cmpi slt, %jg, %until : index"""
        ),
        "the condition is not linear in the loop's index",
    ),
    "either": (
        Masked(window(10).replace("arith.andi", "arith.ori")),
        "result 0 of the loop may change",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_change_nothing(case: str) -> None:
    masked, fact = REFUSED[case]
    error = refusal(masked.attention(), schedule_of(*TRIM))
    assert isinstance(error, SilenceableFailure) and fact in str(error)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Without the guard, rows that saw no key become NaN: exp(-inf - -inf).
        ("arith.select %1, %zero, %x", "arith.select %1, %x, %x"),
        # The sum starts from a number that a factor 0 would not keep.
        ("%l0 = linalg.fill ins(%zero", "%l0 = linalg.fill ins(%one"),
        # The masked elements count.
        ("arith.select %c, %x, %minf", "arith.select %c, %x, %zero"),
        # The correction is that of another row.
        ("[#row, #two], iterator", "[affine_map<(d0, d1) -> (d1)>, #two], iterator"),
        # The running value is a sum, which may be -inf and then finite again.
        ("arith.maximumf %x, %y", "arith.addf %x, %y"),
        # The largest score is looked for in other scores than those that are summed.
        ("ins(%sc, %ms :", "ins(%s, %ms :"),
    ],
)
def test_what_is_not_proved_is_refused(old: str, new: str) -> None:
    payload = Masked(tile=(4, 4)).attention()
    assert old in payload
    changed = payload.replace(old, new).replace(
        "%c0 = arith.constant 0 : index",
        "%c0 = arith.constant 0 : index\n  %one = arith.constant 1.0 : f32",
    )
    with pytest.raises(SilenceableFailure, match="of the loop may change in an iter"):
        transform(changed, schedule_of(CLEAN, *TRIM))


def test_other_refusals() -> None:
    payload = Masked().attention()
    error = refusal(payload, schedule_of(match("%l", "linalg.fill"), TRIM[1]))
    assert "'linalg.fill' is not scf.for" in str(error)
    open_step = payload.replace("step %step", "step %length")
    error = refusal(open_step, schedule_of(*TRIM))
    assert "the step is not a constant" in str(error)
