"""The best trial of each structure: what the choices that are no numbers decide."""

from __future__ import annotations

from typing import Any

from tilewright.explorer.trials.sources import RunSource
from tilewright.tuning.search.encoding import is_structural
from tilewright.tuning.space.choices import canonical


def structures_of(source: RunSource) -> list[dict[str, Any]]:
    """Each combination of structures that was tried, the fastest first.

    Empty where the schedule has one structure only.
    """
    names = [
        choice.name
        for choice in source.log.space.choices.values()
        if is_structural(choice)
    ]
    groups: dict[str, list[int]] = {}
    points: dict[str, dict[str, Any]] = {}
    for row, trial in enumerate(source.log.trials):
        point = {name: trial.point[name] for name in names if name in trial.point}
        key = canonical(point)
        points[key] = point
        groups.setdefault(key, []).append(row)
    if len(groups) < 2:
        return []
    found = [_structure(source, points[key], rows) for key, rows in groups.items()]
    return sorted(found, key=lambda one: (one["ms"] is None, one["ms"] or 0.0))


def _structure(
    source: RunSource, point: dict[str, Any], rows: list[int]
) -> dict[str, Any]:
    trials, winner = source.log.trials, source.log.best
    worked = [row for row in rows if trials[row].milliseconds is not None]
    best = min(worked, key=lambda row: trials[row].milliseconds or 0.0, default=None)
    own = next((row for row in rows if trials[row] is winner), None)
    best = best if own is None else own
    return {
        "point": point,
        "trials": len(rows),
        "failed": len(rows) - len(worked),
        "best": best,
        "ms": None if best is None else trials[best].milliseconds,
    }
