"""The trials of a run as columns: ten thousand trials are a few hundred kilobytes.

Numbers have as many digits as a page shows. A text that many trials share is stored
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tilewright.explorer.trials.sources import Row, RunSource, report_of
from tilewright.tuning.results.records import OUTCOMES
from tilewright.tuning.search.encoding import is_structural, ranked_options
from tilewright.tuning.space.choices import Choice

_REPORT = ("registers", "spills", "shared", "wgmma", "tma", "code")


def choices_of(source: RunSource) -> list[dict[str, Any]]:
    """The choices of a run, in the order of the schedule."""
    return [
        {
            "name": choice.name,
            "structure": is_structural(choice),
            "options": ranked_options(choice),
        }
        for choice in source.log.space.choices.values()
    ]


def columns_of(source: RunSource) -> dict[str, Any]:
    """The trials of a run, in the order in which they ended."""
    rows = source.rows
    reports = [report_of(row) for row in rows]
    errors = _Numbered()
    programs = _Numbered()
    return {
        "number": [row.number for row in rows],
        "outcome": [_outcome(row) for row in rows],
        "origin": [row.origin for row in rows] if _varies(rows) else None,
        "environment": [
            i for i, row in enumerate(rows) if row.trial.cause == "environment"
        ],
        "ms": _numbers(rows, lambda row: row.trial.milliseconds),
        "low": _numbers(rows, lambda row: _timed(row, row.trial.p20)),
        "high": _numbers(rows, lambda row: _timed(row, row.trial.p80)),
        "final": _numbers(rows, lambda row: row.trial.final),
        "ended": _numbers(rows, lambda row: row.trial.ended),
        "spent": _numbers(rows, _spent),
        "estimate": _numbers(rows, lambda row: row.estimate),
        "kernels": _numbers(
            rows, lambda row: row.trial.features.get("program.kernels")
        ),
        "calls": _numbers(rows, lambda row: row.trial.features.get("program.calls")),
        "traffic": _numbers(rows, traffic_of),
        **{
            name: [_short(report[name]) for report in reports]
            for name in _REPORT
            if any(report[name] is not None for report in reports)
        },
        "program": [programs.number(row.trial.program) for row in rows],
        "error": [errors.number(row.trial.error) for row in rows],
        "errors": errors.texts,
        "points": {
            choice.name: _options(rows, choice)
            for choice in source.log.space.choices.values()
        },
    }


class _Numbered:
    """Texts, each stored once; -1 stands for none."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def texts(self) -> list[str]:
        return list(self._numbers)

    def number(self, text: str) -> int:
        if not text:
            return -1
        return self._numbers.setdefault(text, len(self._numbers))


def _outcome(row: Row) -> int:
    return OUTCOMES.index(row.trial.outcome)  # pyright: ignore[reportArgumentType]


def _varies(rows: Sequence[Row]) -> bool:
    return any(row.origin != "new" for row in rows)


def _numbers(
    rows: Sequence[Row], read: Callable[[Row], float | None]
) -> list[float | None] | None:
    """A column of numbers; None where no trial has one."""
    column = [_short(read(row)) for row in rows]
    return None if all(value is None for value in column) else column


def _short(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    whole = round(value)
    if whole == value or abs(value) >= 1e6:
        return whole
    return float(f"{value:.6g}")


def _timed(row: Row, value: float | None) -> float | None:
    return None if row.trial.milliseconds is None else value


def _spent(row: Row) -> float | None:
    """The seconds that the trial took, of all stages."""
    return sum(row.trial.seconds.values()) if row.trial.seconds else None


def traffic_of(row: Row) -> float | None:
    """The bytes that all kernels move to and from memory, by the cost model.

    None for a program with library calls, whose bytes the features do not have.
    """
    features = row.trial.features
    needed = ("traffic.hbm", "problem.bytes")
    if any(name not in features for name in needed):
        return None
    if features.get("program.calls", 0.0) > 0:
        return None
    return math.exp2(sum(features[name] for name in needed))


def _options(rows: Sequence[Row], choice: Choice) -> list[int | None]:
    """The position of each trial's option; None where the choice is not open."""
    # In Python 1 == True, so compare texts.
    places = {repr(value): i for i, value in enumerate(ranked_options(choice))}
    return [
        places.get(repr(row.trial.point[choice.name]))
        if choice.name in row.trial.point
        else None
        for row in rows
    ]
