"""gelu by a polynomial, where 16 bits are kept: nearer to the truth than by erf."""

from __future__ import annotations

import math
from functools import cache

import ml_dtypes
import numpy as np
import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.ir.interpreter import run
from tilewright.payloads import Payload, Tensor, erf, gelu
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planning.plan import plan

TYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16)}


def made(of: str, function: object = gelu, result: str | None = None) -> Built:
    """A function of 65,536 elements, in one kernel."""
    p = Payload("element")
    x = p.input("x", (256, 256), of)
    wide: Tensor = function(x.cast("f32"))  # type: ignore[operator]
    p.output(wide.cast(result or of))
    module = parse_payload(p.text())
    return build(module, plan(module, TARGETS["h200"]).schedule)


@cache
def exact(of: str) -> tuple[np.ndarray, np.ndarray]:
    """All numbers of a type, and their gelu in 64 bits."""
    every = np.arange(65536, dtype=np.uint16).view(TYPES[of]).reshape(256, 256)
    with np.errstate(invalid="ignore"):
        wide = every.astype(np.float64)
    root = math.sqrt(2)
    with np.errstate(invalid="ignore"):
        numbers = [0.5 * n * math.erfc(-n / root) for n in wide.ravel()]
    return every, np.array(numbers).reshape(wide.shape)


def places(numbers: np.ndarray) -> np.ndarray:
    """The order of 16-bit floats as integers, equal for both zeros."""
    bits = numbers.view(np.int16).astype(np.int32)
    return np.where(bits < 0, -(bits & 0x7FFF), bits)


@pytest.mark.parametrize(("of", "most"), [("bf16", 0), ("f16", 1)])
def test_all_numbers(of: str, most: int) -> None:
    """bf16 is rounded as the exact number is, down to -5.5, where it is -1e-7; f16 is
    the number next to it at most. By erf it is 80 and 2 numbers away."""
    every, expected = exact(of)
    built = made(of)
    assert "erf" not in built.program.text
    found = run(built.kernel, [every])[0]
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(expected) & np.isfinite(every.astype(np.float64))
        away = np.abs(places(found) - places(expected.astype(TYPES[of])))
        wide = found.astype(np.float64)
    kept = finite & (every > -5.5 if of == "bf16" else finite)
    assert away[kept].max() <= most
    assert np.abs(wide - expected)[finite & ~kept].max(initial=0.0) < 3e-10
    assert np.isnan(wide[np.isnan(expected)]).all()
    np.testing.assert_array_equal(wide[expected == np.inf], np.inf)


def test_f32_keeps_erf() -> None:
    assert "erf(" in made("f32").program.text


def test_a_difference_keeps_erf() -> None:
    """Next to zero erf itself has few digits of the sum with 1."""
    assert "erf(" in made("bf16", erf).program.text


def test_a_sum_of_many_keeps_erf() -> None:
    p = Payload("mean")
    p.output(gelu(p.input("x", (64, 256), "bf16").cast("f32")).mean(-1).cast("bf16"))
    module = parse_payload(p.text())
    built = build(module, plan(module, TARGETS["h200"]).schedule)
    assert "erf(" in built.program.text


def test_an_erf_that_is_kept_anyway_is_used_for_the_sum() -> None:
    p = Payload("both")
    found = erf(p.input("x", (64, 256), "bf16").cast("f32"))
    p.output(found.cast("bf16"), (found + 1).cast("bf16"))
    module = parse_payload(p.text())
    text = build(module, plan(module, TARGETS["h200"]).schedule).program.text
    assert "erf(" in text and "exp2(" not in text
