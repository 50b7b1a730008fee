"""Attention of the builder, streamed, trimmed and split: loops, bounds and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.transforms.masked_loops import bounds
from support.transforms.schedules import evaluate
from tilewright.ir.text import to_text
from tilewright.payloads import Payload, attention
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule

TW = """\
schedule flash(root) {{
  func = match "func.func" in root
  {first}
  ops  = match implementing [LinalgOp] in root
  out  = pick ops at [10]
  rest = pick ops at [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  out, grid  = tile out by [1, 8, 0, 0] onto [block.y, block.x]
  rest, grid = fuse_all rest into grid
  include clean(func)
  products = match "linalg.batch_matmul" in grid
  qk, pv   = split_handle products
  pv, loop = stream pv by 4
  {steps}
  canonicalize func
}}
"""
BOTH = "loop = trim loop; whole, masked = split_by_mask loop"


def payload(queries: Any, keys: Any, **options: Any) -> str:
    p = Payload("attention")
    q = p.input("q", (2, queries, 8), "f32")
    k = p.input("k", (2, keys, 8), "f32")
    v = p.input("v", (2, keys, 8), "f32")
    if options.pop("documents", False):
        options["documents"] = p.input("documents", (2, keys), "i32")
    if options.pop("lengths", False):
        options["key_lengths"] = p.input("lengths", (2,), "i32")
    p.output(attention(q, k, v, **options))
    return p.text()


def scheduled(text: str, steps: str = BOTH, first: str = "") -> ModuleOp:
    module = parse_payload(text)
    written = TW.format(steps=steps, first=first)
    run_schedule(Schedule.from_text(written).module, module)
    return module


def arrays(queries: int, keys: int, **options: Any) -> list[Any]:
    rng = np.random.default_rng(0)
    shapes = [(2, queries, 8), (2, keys, 8), (2, keys, 8)]
    found: list[Any] = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    if options.get("documents"):
        found.append(np.sort(rng.integers(0, 2, (2, keys)), -1).astype(np.int32))
    if options.get("lengths"):
        found.append(np.array([3, keys], np.int32))
    return found


CASES: dict[str, tuple[int, int, dict[str, Any], int]] = {
    "causal": (32, 32, {"causal": True}, 2),
    "bottom_right": (16, 40, {"causal": "bottom_right"}, 2),
    "no_key_at_first": (40, 16, {"causal": "bottom_right"}, 2),
    "window": (32, 32, {"causal": True, "window": 17}, 3),
    "both_sides": (32, 32, {"window": 16}, 3),
    "uneven": (29, 31, {"causal": True, "window": 17}, 3),
    "soft_cap": (32, 32, {"causal": True, "soft_cap": 5.0}, 2),
    "documents": (32, 32, {"causal": True, "documents": True}, 5),
    "lengths": (32, 32, {"causal": True, "lengths": True}, 2),
}


QUICK = ("window",)


@pytest.mark.parametrize(
    "case",
    [
        case if case in QUICK else pytest.param(case, marks=pytest.mark.slow)
        for case in CASES
    ],
)
@pytest.mark.parametrize(
    "first",
    [pytest.param("", marks=pytest.mark.slow), "exp2 func"],
    ids=["exp", "exp2"],
)
def test_numbers(case: str, first: str) -> None:
    queries, keys, options, loops = CASES[case]
    text = payload(queries, keys, **options)
    module = scheduled(text, first=first)
    assert len(bounds(to_text(module))) == loops
    given = arrays(queries, keys, **options)
    with np.errstate(invalid="ignore"):
        (want,) = evaluate(parse_payload(text), given, shuffle=None)
        (got,) = evaluate(module, given)
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [True, "bottom_right"])
def test_open_sizes(causal: Any) -> None:
    text = payload("I", "J", causal=causal)
    module = scheduled(text)
    for queries, keys in ((29, 31), (16, 40), (40, 16), (1, 5)):
        given = arrays(queries, keys)
        with np.errstate(invalid="ignore"):
            (want,) = evaluate(parse_payload(text), given, shuffle=None)
            (got,) = evaluate(module, given)
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_bounds_that_a_tensor_holds_end_the_loop() -> None:
    text = payload(32, 32, causal="bottom_right", lengths=True)
    ((low, high),) = bounds(to_text(scheduled(text, "loop = trim loop")))
    assert low == "0" and high.startswith("min")


def test_a_schedule_passes_over_a_loop_that_has_no_mask() -> None:
    passed = """func = try func {
    loop = match "scf.for" in func
    loop = trim loop
    yield func
  } else {
    yield func
  }"""
    assert bounds(to_text(scheduled(payload(32, 32), passed))) == [("0", "32")]
    trimmed = bounds(to_text(scheduled(payload(32, 32, causal=True), passed)))
    assert trimmed == [("0", "d0 * 8 + 8")]


@pytest.mark.parametrize("first", ["", "exp2 func"])
def test_tiles_without_a_mask_need_no_guard(first: str) -> None:
    """The maximum of whole tiles is a number; a masked tile may have none."""
    text = to_text(scheduled(payload(32, 32, causal=True), first=first))
    whole, _, masked = text.partition("scf.yield")
    assert "arith.cmpf oeq" not in whole and "arith.cmpf oeq" in masked


def test_inputs_may_be_infinite_where_no_index_masks() -> None:
    """A bias is an input: it may hide a whole tile, so the guard stays."""
    p = Payload("attention")
    q, k, v = (p.input(name, (2, 32, 8), "f32") for name in "qkv")
    bias = p.input("bias", (32, 32), "f32")
    p.output(attention(q, k, v, causal=True, bias=bias))
    text = to_text(scheduled(p.text()))
    assert text.count("arith.cmpf oeq") == 2
