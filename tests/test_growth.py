"""Large programs: the time to build one grows with its size, not with the square."""

from __future__ import annotations

import cProfile
import pstats

import pytest
from xdsl.dialects.builtin import f16

from tilewright.ir.errors import UserError
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.verifier import Verifier

PAYLOAD = """
func.func @product(%a: tensor<32x1024xf16>, %b: tensor<1024x32xf16>)
    -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>)
    -> tensor<32x32xf32>
  %product = linalg.matmul
    ins(%a, %b : tensor<32x1024xf16>, tensor<1024x32xf16>)
    outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %product : tensor<32x32xf32>
}
"""

SCHEDULE = """
schedule unrolled(root) {{
  mm   = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid   = tile mm by [32, 32] onto [block.y, block.x]
  fill, grid = fuse fill into grid
  mm, k = tile mm by [0, 0, 8]
  unroll k by {copies}
}}
"""


def unrolled(copies: int) -> Schedule:
    return Schedule.from_text(SCHEDULE.format(copies=copies), "unrolled.tw")


def calls_to_build(copies: int) -> int:
    """Function calls, which count the same on any machine."""
    payload, schedule = parse_payload(PAYLOAD), unrolled(copies)
    build(payload, schedule, {})
    profile = cProfile.Profile()
    profile.runcall(build, payload, schedule, {})
    return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]


def test_four_times_the_copies_take_about_four_times_the_work() -> None:
    """Verification after every default step and bufferization made this 6 times."""
    assert calls_to_build(32) < 4.5 * calls_to_build(8)


@pytest.mark.parametrize("count", [20, 2000])
def test_a_verification_that_was_put_off_is_made_up(count: int) -> None:
    """A large function is not walked for one change, but before the end."""
    lines = "\n".join(f"  %v{i} = arith.addf %a, %a : f32" for i in range(count))
    payload = parse_payload(f"func.func @f(%a: f32) {{\n{lines}\n  return\n}}")
    first = next(op for op in payload.walk() if op.name == "arith.addf")
    verifier = Verifier()
    verifier.verify(payload, [])
    assert not verifier.is_waiting
    first.results[0]._type = f16
    if count < 500:
        with pytest.raises(UserError):
            verifier.verify(payload, [first])
        return
    verifier.verify(payload, [first])
    assert verifier.is_waiting
    with pytest.raises(UserError):
        verifier.settle()
    assert not verifier.is_waiting
