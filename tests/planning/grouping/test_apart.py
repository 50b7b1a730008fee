"""Prologues of matmuls: in the matmul's loop, or in a kernel of their own."""

from __future__ import annotations

import re

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, gelu, matmul, silu


def dequantized(m: int, n: int, k: int) -> Payload:
    p = Payload("f")
    x = p.input("x", (m, k), "bf16")
    w, scale = p.input("w", (k, n), "i8"), p.input("s", (n,), "bf16")
    p.output(matmul(x, w.cast("bf16") * scale, dtype="bf16"))
    return p


def test_the_weights_of_a_few_rows_are_dequantized_in_the_loop() -> None:
    found = planned(dequantized(16, 4096, 4096))
    (kernel,) = found.kernels
    assert {facts.name for facts in kernel.group.prologues} == {"mul", "cast"}
    assert kernel.candidates[0].sketch.label == "tiles"
    assert any(c.sketch.label.startswith("apart_") for c in kernel.slower)


def test_the_weights_of_many_rows_are_dequantized_once() -> None:
    found = planned(dequantized(4096, 4096, 4096))
    assert len(found.kernels) == 2
    (decision,) = (
        decision
        for kernel in found.kernels
        for decision in kernel.group.decisions
        if not decision.taken
    )
    assert re.fullmatch(r"[\d.]+ us together, [\d.]+ us apart", decision.reason)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("branch", ["tiles", "apart_tiles", "apart_library"])
def test_every_branch_is_right(branch: str) -> None:
    payload = dequantized(48, 80, 96)
    (kernel,) = planned(payload).kernels
    assert branch in [candidate.sketch.label for candidate in kernel.candidates]
    made = assert_right(payload, point={"kernel": branch})
    launches = len(made.program.kernels) + len(made.program.calls)
    assert launches == (1 if branch == "tiles" else 2)


def test_what_the_tail_reads_too_is_no_prologue() -> None:
    p = Payload("f")
    x, w = p.input("x", (16, 64), "bf16"), p.input("w", (64, 64), "bf16")
    y = silu(gelu(x))
    p.output(matmul(y, w, dtype="bf16") + y)
    assert not any(group.prologues for group in planned(p).grouping.groups)
    assert_right(p)
