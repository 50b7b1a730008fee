"""What `explain` finds about a run, with the rows of the trials it speaks of."""

from __future__ import annotations

import math
from typing import Any

from tilewright.explorer.trials.schedule_text import line_at
from tilewright.explorer.trials.sources import RunSource
from tilewright.tuning.explaining.explanation import explain
from tilewright.tuning.explaining.failures import failures_with_members


def findings_of(source: RunSource) -> dict[str, Any]:
    """The explanation as plain data, without what the columns have already."""
    found = explain(source.log)
    data = found.as_json()
    for name in ("format", "run", "best", "failures", "improvements"):
        del data[name]
    limits = found.limits
    return {
        **_without_nan(data),
        "limits": None
        if limits is None
        else {
            "verdict": limits.verdict,
            "tflops": limits.tflops,
            "peak_tflops": limits.peak_tflops,
            "gigabytes_per_second": limits.gigabytes_per_second,
            "peak_gigabytes_per_second": limits.peak_gigabytes_per_second,
            "over_estimate": limits.over_estimate,
            "parts": limits.parts,
        },
    }


def _without_nan(value: Any) -> Any:
    """The same data with None for numbers that are none: JSON has no NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(part) for part in value]
    return value


def failures_of(source: RunSource) -> list[dict[str, Any]]:
    """The reasons why trials failed, the most frequent first, with their rows."""
    return [
        {
            "count": group.count,
            "outcome": group.outcome,
            "stage": group.stage,
            "op": group.op,
            "place": group.place,
            "line": line_at(source.schedule, group.place),
            "reason": group.reason,
            "remedy": group.remedy,
            "options": group.options,
            "environment": group.by_environment,
            "rows": rows,
        }
        for group, rows in failures_with_members(source.log.trials)
    ]


def best_row(source: RunSource) -> int | None:
    """The row of the winner."""
    winner = source.log.best
    if winner is None:
        return None
    return next(i for i, trial in enumerate(source.log.trials) if trial is winner)
