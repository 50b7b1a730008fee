"""`delay`: the last products of a loop's body run one iteration later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.paths import EXAMPLES
from support.transforms.schedules import evaluate
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.payloads import Payload, attention
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule

TW = """\
schedule delayed(root) {{
  func = match "func.func" in root
  out  = match implementing [LinalgOp] in root at [-1]
  out, grid = tile out by [1, 8] onto [block.y, block.x]
  ops       = match implementing [LinalgOp] in root
  ops, grid = fuse_all ops into grid
  values, loop = stream grid by {keys}
  {steps}
  canonicalize func
}}
"""


def payload(queries: int, keys: int, **options: Any) -> str:
    p = Payload("attention")
    q = p.input("q", (2, queries, 8), "f32")
    k = p.input("k", (2, keys, 8), "f32")
    v = p.input("v", (2, keys, 8), "f32")
    p.output(attention(q, k, v, **options))
    return p.text()


def assert_same(text: str, steps: str, keys: int = 4, integers: int = 0) -> str:
    """The same numbers before and after; arguments of integers are one everywhere."""
    before, module = parse_payload(text), parse_payload(text)
    run_schedule(Schedule.from_text(TW.format(steps=steps, keys=keys)).module, module)
    rng = np.random.default_rng(0)
    rows = int(text.split("tensor<2x")[1].split("x")[0])
    columns = int(text.split("tensor<2x")[2].split("x")[0])
    given: list[np.ndarray] = [
        rng.standard_normal((2, n, 8)).astype(np.float32)
        for n in (rows, columns, columns)
    ]
    if "tensor<2x16xi32>" in text:
        given.append(np.full((2, 16), integers, np.int32))
    want = evaluate(before, given, shuffle=None)
    np.testing.assert_allclose(evaluate(module, given), want, rtol=1e-5, atol=1e-6)
    return to_text(module)


DELAY = "loop = delay loop"


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("transforms/delay.mlir", assert_same(payload(16, 16), DELAY))


@pytest.mark.parametrize("keys", [16, 8, 4])
def test_numbers(keys: int) -> None:
    """Down to one iteration, after which the loop is empty."""
    text = assert_same(payload(16, keys), DELAY)
    assert text.count("linalg.batch_matmul") == (4 if keys > 4 else 2)


@pytest.mark.parametrize("keys", [13, 29])
def test_a_partial_tile_is_peeled_first(keys: int) -> None:
    peel = "loop, rest = peel loop; canonicalize func"
    assert_same(payload(13, keys), f"{peel}; {DELAY}")
    with pytest.raises(UserError) as raised:
        assert_same(payload(13, keys), DELAY)
    assert "passes to the next iteration is not fixed" in raised.value.fact
    assert "'peel'" in (raised.value.remedy or "")


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    "steps",
    [
        f"loop = trim loop; {DELAY}",
        f"loop = trim loop; {DELAY}; whole, masked = split_by_mask loop",
    ],
)
@pytest.mark.parametrize("sizes", [(16, 16), (32, 32), (40, 32)])
def test_masks(steps: str, sizes: tuple[int, int]) -> None:
    assert_same(payload(*sizes, causal=True), steps)


def test_the_first_iteration_is_masked_and_the_whole_ones_are_not() -> None:
    steps = f"loop = trim loop; {DELAY}; whole, masked = split_by_mask loop"
    head, whole, masked = assert_same(payload(32, 32, causal=True), steps).split(
        "scf.for "
    )
    assert ["arith.cmpi" in part for part in (head, whole, masked)] == [1, 0, 1]


def test_a_second_time_is_refused() -> None:
    """The products of the new loop do not need each other."""
    with pytest.raises(UserError) as raised:
        assert_same(payload(16, 16), f"{DELAY}; {DELAY}")
    fact = "delay: no product needs another product of the same iteration"
    assert raised.value.fact == fact


def test_a_loop_that_may_be_empty_is_refused() -> None:
    steps = f"loop = trim loop; loop, masked = split_by_mask loop; {DELAY}"
    with pytest.raises(UserError) as raised:
        assert_same(payload(16, 16, causal=True), steps)
    assert raised.value.fact == "delay: the loop may have no iteration"
    assert "before the loop is split" in (raised.value.remedy or "")


@pytest.mark.sampled(50)
@pytest.mark.parametrize("split", ["", "; whole, masked = split_by_mask loop"])
@pytest.mark.parametrize("first", [0, 9, 15, 2**31 - 1, -(2**31)])
def test_a_trimmed_loop_keeps_an_iteration(first: int, split: str) -> None:
    """Its first place is data: a maximum, and it may have been empty."""
    p = Payload("attention")
    q, k, v = (p.input(name, (2, 16, 8), "f32") for name in "qkv")
    begins = p.input("begins", (2, 16), "i32")
    p.output(attention(q, k, v, causal=True, key_range=(begins, None)))
    text = p.text()
    with pytest.raises(UserError) as raised:
        assert_same(text, f"loop = trim loop; {DELAY}", integers=first)
    assert raised.value.fact == "delay: the loop may have no iteration"
    trimmed = "loop = trim loop keep_one = true"
    assert_same(text, f"{trimmed}; {DELAY}{split}", integers=first)


def test_a_plain_sum_of_products_is_refused() -> None:
    text = (EXAMPLES / "payloads" / "matmul_relu.mlir").read_text()
    schedule = Schedule.from_text("""schedule s(root) {
      mm = match contraction in root
      mm, k = tile mm by [0, 0, 32]
      k = delay k
    }""")
    with pytest.raises(UserError) as raised:
        run_schedule(schedule.module, parse_payload(text))
    assert "no product needs another product" in raised.value.fact


def test_a_delayed_loop_is_not_trimmed() -> None:
    """An iteration without elements still has the product of the one before."""
    with pytest.raises(UserError) as raised:
        assert_same(payload(16, 16, causal=True), f"{DELAY}; loop = trim loop")
    assert "the loop may change in an iteration" in raised.value.fact


def test_triton_starts_both_products_before_the_elements() -> None:
    text = TW.format(steps=DELAY, keys=64).replace("canonicalize func", "")
    text = text.replace("[1, 8]", "[1, 1, 64]").replace("[block", "[block.z, block")
    example = (EXAMPLES / "payloads" / "attention_heads.mlir").read_text()
    made = build(parse_payload(example), Schedule.from_text(text), {})
    loop = made.program.text.split("for n in ")[1]
    second = loop.index("tl.dot(", loop.index("tl.dot(") + 1)
    assert second < loop.index("tl.exp") < loop.index("tl.store")
