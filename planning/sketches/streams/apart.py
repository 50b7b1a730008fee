"""The time of a streamed chain whose matmuls are kernels of their own."""

from __future__ import annotations

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.model.library import matmul_time
from tilewright.planning.model.matmuls import start_seconds
from tilewright.planning.sketches.streams.shape import StreamShape

TILE, STEP = 64, 32
"""The rows and columns of a tile of a matmul, and its step along k."""


def apart_seconds(shape: StreamShape, target: Target) -> float:
    """A kernel for each matmul of f32, and one for the reductions, which are stored.

    Element-wise ops are computed with the kernels before or after them.
    """
    seconds = sum(_matmul_seconds(f, shape, target) for f in shape.matmuls)
    reduced = [f for f in shape.stream.ops if f.role == Role.REDUCTION]
    if reduced:
        largest = max(operand.bytes for facts in reduced for operand in facts.inputs)
        bandwidth = target.calibration.memory.share * target.hbm_bandwidth
        seconds += target.calibration.launch + 2 * largest / bandwidth
    return seconds


def _matmul_seconds(facts: OpFacts, shape: StreamShape, target: Target) -> float:
    """The time of a matmul: by a library, or by three matmuls of TF32."""
    fitted, dims = target.calibration, facts.contraction
    assert dims is not None
    batch, m, n, k = (facts.count(d) for d in (dims.batch, dims.m, dims.n, dims.k))
    moved = facts.written_bytes + sum(operand.bytes for operand in facts.inputs)
    called = matmul_time((batch, m, n, k), "f32", moved, 0, WIDE_LOAD, target)
    tiles = batch * -(-m // TILE) * -(-n // TILE)
    flops = 2 * tiles * TILE**2 * -(-k // STEP) * STEP
    rate = target.matmul_flops("f32") * fitted.tf32x3.together[TILE]
    rate *= min(1.0, tiles / target.sms)
    if facts in shape.across:
        rate *= fitted.tf32x3.across
    memory = moved / (fitted.memory.share * target.hbm_bandwidth)
    ends = start_seconds(target) + fitted.matmuls.fill + fitted.matmuls.store
    ours = ends + max(flops / rate, memory)
    return min(ours, called.seconds)
