"""Fingerprints of functions: what they compute counts, where they stand does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from tilewright.tuning.own_kernels.fingerprint import fingerprint

SCALE = 2.0


def scaled(x: Any) -> Any:
    return helper(x) * SCALE


def helper(x: Any) -> Any:
    return x + 1


def times(factor: Any) -> Callable[[Any], Any]:
    return lambda x: x * factor


def test_equal_functions_are_equal() -> None:
    one: Any = lambda x: x + 1  # noqa: E731
    same: Any = lambda x: x + 1  # noqa: E731
    assert fingerprint(one) == fingerprint(same)
    assert fingerprint(times(3)) == fingerprint(times(3))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x: x + 1, lambda x: x + 2),
        (lambda x: x + 1, lambda x: x - 1),
        (times(3), times(4)),
        (times(torch.ones(3)), times(torch.zeros(3))),
        (times(torch.ones(3)), times(torch.ones(3, dtype=torch.bfloat16))),
        (times(np.arange(3)), times(np.arange(4))),
        (partial(times, 1), partial(times, 2)),
        (lambda x, y=1: x, lambda x, y=2: x),
        (lambda x: [y + 1 for y in x], lambda x: [y + 2 for y in x]),
        (torch.softmax, torch.log_softmax),
    ],
)
def test_another_computation_is_another_fingerprint(one: Any, other: Any) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_what_a_function_uses_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(scaled)
    monkeypatch.setitem(scaled.__globals__, "SCALE", 3.0)
    other = fingerprint(scaled)
    assert other != before
    monkeypatch.setitem(scaled.__globals__, "helper", lambda x: x)
    assert fingerprint(scaled) != other


def test_recursion_ends() -> None:
    def down(n: int) -> int:
        return 0 if n == 0 else down(n - 1)

    assert fingerprint(down) == fingerprint(down)


def test_objects_with_a_call() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def __call__(self, x: float) -> float:
            return x * self.factor

    assert fingerprint(Scale(2)) != fingerprint(Scale(3))
    assert fingerprint(Scale(2)) == fingerprint(Scale(2))
    assert fingerprint(Scale(2).__call__) != fingerprint(Scale(3).__call__)
