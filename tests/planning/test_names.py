"""Names of ops in planned schedules: none means something else there."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload


def two_sums(first: str, second: str) -> Payload:
    """Two kernels: sums along rows and across rows, whose ops have these names."""
    p = Payload("f")
    for name, axis in ((first, 1), (second, 0)):
        total = p.input(f"of_{name}", (64, 64), "f32").sum(axis=axis)
        p.output(total.named(name))
    return p


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("first", "second"),
    [("rows", "warps"), ("block", "columns"), ("grid_sum", "all_sums"), ("k", "tile")],
)
def test_ops_are_not_called_like_choices_or_handles(first: str, second: str) -> None:
    payload = two_sums(first, second)
    names = {facts.name for facts in planned(payload).analysis.ops}
    assert not names & {first, second}
    assert_right(payload)
