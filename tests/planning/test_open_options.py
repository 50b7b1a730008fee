"""What a plan leaves open: sketches and options whose estimates are near the best."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import cast

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload
from tilewright.pipeline import parse_payload
from tilewright.planning.kernels import Candidate, PlannedKernel
from tilewright.planning.plan import Plan, fastest_of, plan


@cache
def matmul(m: int, k: int, n: int, dtype: str) -> PlannedKernel:
    """The kernel of one matmul."""
    p = Payload("net")
    p.output(p.input("x", (m, k), dtype) @ p.input("w", (k, n), dtype))
    (kernel,) = plan(parse_payload(p.text()), TARGETS["h200"]).kernels
    return kernel


def over_best(kernel: PlannedKernel) -> dict[str, float]:
    """The estimate of each sketch, over the least one."""
    found = {c.sketch.label: c.seconds for c in kernel.considered}
    return {label: one / min(found.values()) for label, one in found.items()}


def best_with(candidate: Candidate, knob: str, option: int) -> float:
    """The best estimate with an option, over the best of all."""
    sketch = candidate.sketch
    times = [sketch.seconds(one) for one in sketch.points() if one[knob] == option]
    return min(times, default=math.inf) / candidate.seconds


def test_sketches_stay_open_up_to_twice_the_best_time() -> None:
    kernel = matmul(1, 4096, 4096, "bf16")
    times = over_best(kernel)
    slow = next(c.sketch.label for c in kernel.slower)
    assert 2 < times[slow] < 4
    is_open = {candidate.sketch.label for candidate in kernel.candidates}
    assert max(times[label] for label in is_open) > 1.2
    assert slow not in is_open


@pytest.mark.parametrize("knob", ["BM", "BN", "BK"])
def test_options_stay_open_up_to_1_6_times_the_best_time(knob: str) -> None:
    kernel = matmul(2048, 2048, 2048, "f16")
    tiles = next(c for c in kernel.candidates if c.sketch.label == "tiles")
    kept = next(one.options for one in tiles.knobs if one.name == knob)
    given = next(one.options for one in tiles.sketch.knobs() if one.name == knob)
    times = {option: best_with(tiles, knob, option) for option in given}
    assert kept == tuple(option for option in given if times[option] <= 1.6)
    if knob == "BN":
        assert any(1.6 < time < 3.2 for time in times.values())
    if knob == "BK":
        assert any(1.1 < time <= 1.6 for time in times.values())


def test_a_library_is_the_default_unless_a_kernel_is_a_tenth_faster() -> None:
    """An estimate of a kernel is less sure than that of a library's call."""
    near, far = matmul(2048, 2048, 2048, "f16"), matmul(2048, 512, 512, "f32")
    assert 1 < over_best(near)["library"] < 1.1
    assert near.candidates[0].sketch.label == "library"
    assert 1.1 < over_best(far)["library"] < 2.2
    assert far.candidates[0].sketch.label != "library"


@pytest.mark.parametrize(("fewer", "wins"), [(101.9, True), (102.1, False)])
def test_fewer_kernels_win_within_2_percent(fewer: float, wins: bool) -> None:
    """Of plans for one payload, prepared in two ways."""
    plans = [SimpleNamespace(seconds=100.0, kernel_count=3)]
    plans.append(SimpleNamespace(seconds=fewer, kernel_count=2))
    assert (fastest_of(cast(list[Plan], plans)) is plans[1]) is wins
