"""Parametrizations of which a few cases are quick tests, and the rest are slow ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def mostly_slow(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Cases for `parametrize`; those that are not in `quick` are marked `slow`."""
    every = list(cases)
    assert all(case in every for case in quick), "a quick case that there is not"
    return [
        case
        if case in quick
        else pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow
        )
        for case in every
    ]
