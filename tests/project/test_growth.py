"""Large programs: the time to build one grows with its size, not with the square."""

from __future__ import annotations

import cProfile
import pstats

import numpy as np
import pytest
from xdsl.dialects.builtin import f16

from support.transforms.canonicalized import canonicalized
from tilewright.ir.errors import UserError
from tilewright.ir.indexing.index_ops import map_of
from tilewright.ir.interpreter import run
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.core.verifier import Verifier

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


@pytest.mark.slow
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


def chained(count: int) -> str:
    """Element-wise ops in a row."""
    kind = "tensor<64xf32>"
    lines = [f"func.func @chain(%v0: {kind}) -> {kind} {{"]
    for at in range(count):
        lines.append(f"  %e{at} = tensor.empty() : {kind}")
        lines.append(
            f"  %v{at + 1} = linalg.exp ins(%v{at} : {kind}) outs(%e{at} : {kind})"
            f" -> {kind}"
        )
    return "\n".join([*lines, f"  return %v{count} : {kind}", "}"])


def calls_to_build_chain(count: int) -> int:
    payload = parse_payload(chained(count))
    build(payload, None)
    profile = cProfile.Profile()
    profile.runcall(build, payload, None)
    return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]


@pytest.mark.slow
def test_four_times_the_ops_of_a_chain_take_at_most_four_times_the_work() -> None:
    """Fixed costs make it less; comparing grids with each other made it more."""
    assert calls_to_build_chain(80) < 4 * calls_to_build_chain(20)


@pytest.mark.parametrize(
    "expression",
    ["d0 mod 7 + d0", "(d0 + 3) floordiv 2", "d0 mod 64 + 1", "d0 * 3 + 1"],
)
def test_a_chain_of_affine_maps_is_folded_to_a_certain_size(expression: str) -> None:
    """Quotients of quotients double with every op: 60 of them would never end."""
    lines = ["func.func @f(%v0: index) -> index {"]
    for at in range(60):
        lines.append(
            f"  %v{at + 1} = affine.apply affine_map<(d0) -> ({expression})>(%v{at})"
        )
    module = parse_payload("\n".join([*lines, "  return %v60 : index", "}"]))
    after = canonicalized(module)
    ops = [op for op in after.walk() if op.name == "affine.apply"]
    assert len(ops) < 60
    assert all(sum(1 for _ in map_of(op).results[0].dfs()) < 1000 for op in ops)
    for start in (0, 5, 1000):
        assert run(after, [np.array(start)]) == run(module, [np.array(start)])
