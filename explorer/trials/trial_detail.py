"""One trial of a run: what the columns of the page have no room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tilewright.explorer.program.line_table import LineTable
from tilewright.explorer.trials.programs import build
from tilewright.explorer.trials.sources import Row, RunSource, open_runs
from tilewright.ir.errors import UserError
from tilewright.tuning.results.runs import Samples

_MOST_SAMPLES = 200
"""Of a timing; more say nothing more about its distribution."""


def trial_detail(path: Path, run: str, trial: int) -> dict[str, Any]:
    """A trial by the key of its run (`#3`) and its number, with its steps and source.

    It builds the program, which may take seconds.
    """
    with open_runs(path) as runs:
        source = next((one for one in runs if one.key == run), None)
        if source is None:
            known = ", ".join(one.key for one in runs) or "none"
            raise UserError(f"{path} has no run '{run}'", remedy=f"known: {known}")
        row = next((one for one in source.rows if one.number == trial), None)
        if row is None:
            raise UserError(
                f"run {run} of {path} has no trial {trial}",
                remedy=f"it has {len(source.rows)} trials",
            )
        table = LineTable()
        program = build(source, row, table)
        return {**facts_of(source, row), "program": program, "text": table.lines}


def facts_of(source: RunSource, row: Row) -> dict[str, Any]:
    """The compiler's reports, the timings, and the schedule with its choices closed."""
    return {
        "number": row.number,
        "stats": [_stats(one) for one in map(asdict, row.stats)],
        "samples": [_samples(one) for one in source.samples(row)],
        "seconds": {name: round(s, 4) for name, s in row.trial.seconds.items()},
        "repetitions": row.repetitions,
        "final_interval": row.final_interval,
        "closed": _closed(source, row),
    }


def _stats(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name != "code"}


def _samples(one: Samples) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "size": one.size,
        "run": one.run,
        "ms": [float(f"{ms:.5g}") for ms in _thinned(sorted(one.milliseconds))],
        "count": len(one.milliseconds),
    }


def _thinned(values: Sequence[float]) -> list[float]:
    """At most `_MOST_SAMPLES` of sorted values, at even distances."""
    if len(values) <= _MOST_SAMPLES:
        return list(values)
    step = (len(values) - 1) / (_MOST_SAMPLES - 1)
    return [values[round(place * step)] for place in range(_MOST_SAMPLES)]


def _closed(source: RunSource, row: Row) -> list[str] | None:
    """The schedule with the choices of a trial closed, as lines."""
    schedule = None if source.schedule is None else source.schedule.schedule
    if schedule is None:
        return None
    try:
        return schedule.with_point(row.trial.point).to_tw().rstrip("\n").split("\n")
    except UserError:
        return None
