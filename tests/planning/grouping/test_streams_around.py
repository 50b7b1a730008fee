"""A chain is streamed if all kernels around it are not slower for it."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, cast, matmul, rmsnorm, softmax
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.grouping import group_ops
from tilewright.planning.known_sketches import KnownSketches
from tilewright.planning.plan import NO_STREAMS, plan

H200 = TARGETS["h200"]


def pooled(features: int, is_normed: bool) -> Payload:
    """A softmax between two matmuls, and perhaps a norm."""
    p = Payload("pooled")
    x = p.input("x", (4096, features), "bf16")
    w, v = (p.input(name, (features, features), "bf16") for name in "wv")
    y = cast(matmul(softmax(cast(matmul(x, w), "bf16")), v), "bf16")
    if is_normed:
        y = rmsnorm(y, p.input("g", (features,), "bf16"))
    p.output(y)
    return p


@pytest.mark.parametrize("is_normed", [False, True])
def test_what_follows_decides_whether_a_chain_is_streamed(is_normed: bool) -> None:
    """The second matmul takes the norm along, which no kernel of the loop does.

    On an H200 the two kernels took 17.6 us, the loop and a kernel for the norm 23.0.
    """
    found = planned(pooled(256, is_normed))
    labels = [kernel.candidates[0].sketch.label for kernel in found.kernels]
    assert labels == (["row_tiles", "row_tiles"] if is_normed else ["streamed"])
    if is_normed:
        apart = plan(pooled(256, True).module, H200, without=[NO_STREAMS])
        assert found.seconds == apart.seconds


def test_the_reason_tells_both_times() -> None:
    analysis = analyse(pooled(256, True).module)
    found = group_ops(analysis, H200, KnownSketches(analysis, H200).seconds)
    (reason,) = found.streams.resisting.values()
    assert not found.streams.chains
    assert reason.startswith("with the kernels around: ") and " us apart" in reason


def test_kernels_apart_that_gain_little_leave_a_chain_in_its_loop() -> None:
    """The loop of 128 columns is faster than what the norm could join."""
    found = planned(pooled(128, True))
    assert found.grouping.groups[0].stream is not None
    assert found.grouping.streams.chains == (found.grouping.groups[0].stream,)
