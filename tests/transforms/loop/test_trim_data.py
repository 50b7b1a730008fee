"""Loops whose bounds tensors hold: lengths, ranges, and documents by their numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
from support.transforms.schedules import evaluate
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.payloads import Payload, elementwise, matmul, softmax, where
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule

KEYS = 48
TW = """\
schedule flash(root) {{
  func = match "func.func" in root
  ops  = match implementing [LinalgOp] in root
  out  = pick ops at [-1]
  out, grid = tile out by [8] onto [block.x]
  ops       = match implementing [LinalgOp] in root
  ops, grid = fuse_all ops into grid
  include clean(func)
  values, loop = stream grid by 4
  {steps}
}}
"""
TRIM = "loop = trim loop"
BOTH = f"{TRIM}; whole, masked = split_by_mask loop"

Mask = Callable[..., Any]


def payload(mask: Mask, rows: Any = 24, keys: Any = KEYS, dtype: str = "i32") -> str:
    """Attention of one head; the mask reads numbers of rows and of keys."""
    p = Payload("attention")
    q = p.input("q", (rows, 8), "f32")
    k, v = (p.input(name, (keys, 8), "f32") for name in "kv")
    of_rows = p.input("of_rows", (rows,), dtype)
    of_keys = p.input("of_keys", (keys,), dtype)

    def score(s: Any, row: Any, key: Any) -> Any:
        return where(mask(row, key), s, -math.inf)

    product = matmul(q, k.T)
    scores = elementwise(score, product, of_rows[:, None], of_keys[None, :])
    p.output(matmul(softmax(scores), v))
    return p.text()


def scheduled(text: str, steps: str = BOTH) -> ModuleOp:
    module = parse_payload(text)
    run_schedule(Schedule.from_text(TW.format(steps=steps)).module, module)
    return module


def same(row: Any, key: Any) -> Any:
    return row == key


MASKS: dict[str, Mask] = {
    "equal": same,
    "before": lambda row, key: key <= row,
    "after": lambda row, key: row < key,
    "other": lambda row, key: row != key,
    "valid": lambda row, key: key != 0,
    "both": lambda row, key: (row >= key) & (key > -2),
}
RNG = np.random.default_rng(0)
NUMBERS: dict[str, np.ndarray] = {
    "sorted": np.sort(RNG.integers(-3, 3, KEYS)),
    "backwards": np.sort(RNG.integers(-3, 3, KEYS))[::-1],
    "islands": np.arange(KEYS) // 9 % 3,
    "random": RNG.integers(-3, 3, KEYS),
    "one": np.zeros(KEYS),
    "extreme": np.where(np.arange(KEYS) < 20, -(2**31), 2**31 - 1),
}


def arrays(numbers: np.ndarray, rows: int = 24, keys: int = KEYS) -> list[Any]:
    rng = np.random.default_rng(1)
    floats = [
        rng.standard_normal((n, 8)).astype(np.float32) for n in (rows, keys, keys)
    ]
    of_keys = np.ascontiguousarray(numbers[:keys], np.int32)
    return [*floats, np.resize(of_keys, rows), of_keys]


def assert_same(text: str, module: ModuleOp, given: list[Any]) -> None:
    with np.errstate(invalid="ignore", divide="ignore"):
        (want,) = evaluate(parse_payload(text), given, shuffle=None)
        (got,) = evaluate(module, given)
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mask", ["equal", pytest.param("both", marks=pytest.mark.slow)]
)
def test_numbers(mask: str) -> None:
    """Whatever the order of the numbers; rows without a key are NaN."""
    text = payload(MASKS[mask])
    module = scheduled(text)
    for numbers in NUMBERS.values():
        assert_same(text, module, arrays(numbers))


@pytest.mark.slow
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("sizes", [(24, 48), (21, 43), (7, 5), ("I", "J")])
def test_numbers_of_all(mask: str, sizes: tuple[Any, Any]) -> None:
    text = payload(MASKS[mask], *sizes)
    module = scheduled(text)
    rows, keys = (29, 31) if isinstance(sizes[0], str) else sizes
    for numbers in NUMBERS.values():
        assert_same(text, module, arrays(numbers, rows, keys))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["i8", "i64"])
def test_other_widths(dtype: str) -> None:
    text = payload(same, dtype=dtype)
    given = arrays(NUMBERS["sorted"])
    wide = [*given[:3], *(x.astype(f"int{dtype[1:]}") for x in given[3:])]
    assert_same(text, scheduled(text), wide)


def test_tiles_of_other_documents_are_not_visited() -> None:
    """NaN in a value is not multiplied by a weight of zero where its tile is left out.

    Rows 0 to 23 see the keys 16 to 31: four of twelve tiles.
    """
    given = arrays(np.where((np.arange(KEYS) >= 16) & (np.arange(KEYS) < 32), 1, 0))
    given[3] = np.ones(24, np.int32)
    given[2][:16] = given[2][32:] = math.nan
    for steps in (TRIM, BOTH):
        (got,) = evaluate(scheduled(payload(same), steps), given)
        assert np.isfinite(got).all()


def test_whole_tiles_have_no_mask() -> None:
    """The second of three loops over the values compares nothing."""
    text = to_text(scheduled(payload(same)))
    loops = text.split("scf.for %")[-3:]
    masked = ["arith.cmpi eq" in loop for loop in loops]
    assert masked == [True, False, True]


def test_golden(golden) -> None:
    golden("transforms/trim_loop_documents.mlir", to_text(scheduled(payload(same))))


@pytest.mark.parametrize("sizes", [(24, 48), (21, 43)])
def test_a_second_application_finds_nothing(sizes: tuple[int, int]) -> None:
    with pytest.raises(SilenceableFailure, match="no condition empties an iteration"):
        scheduled(payload(same, *sizes), f"{TRIM}; {TRIM}")


REFUSED: dict[str, Mask] = {
    "a sum of both": lambda row, key: row + key == 1,
    "a function of the key": lambda row, key: row == key * key,
}


@pytest.mark.parametrize("mask", mostly_slow(REFUSED, ["a sum of both"]))
def test_refusals_change_nothing(mask: str) -> None:
    text = payload(REFUSED[mask])
    before = to_text(scheduled(text, ""))
    with pytest.raises(SilenceableFailure, match="is not linear"):
        scheduled(text, TRIM)
    passed = f"suppress func {{ {TRIM} }}"
    assert to_text(scheduled(text, passed)) == before


@needs_mlir
def test_real_mlir_accepts_the_result() -> None:
    mlir_opt(to_text(scheduled(payload(same, "I", "J"))))
