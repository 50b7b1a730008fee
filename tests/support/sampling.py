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


def run_with(request: pytest.FixtureRequest, argument: str) -> list[Any]:
    """The values of a parameter that the fixture's module is run with, in order.

    A fixture that prepares all cases in one process leaves out those of other runs.
    """
    found: dict[Any, None] = {}
    for item in request.session.items:
        values = getattr(item, "callspec", None)
        if item.path == request.path and values is not None:
            if argument in values.params:
                found[values.params[argument]] = None
    return list(found)
