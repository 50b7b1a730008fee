"""The results of replays as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from tilewright.tuning.replay.comparison import Figure, Row

ALL = "all"
"""The name of the rows over all recordings."""


def table(rows: Sequence[Row]) -> Table:
    """A line for each setting and rule; what is the same in all lines has no column."""
    found = Table(box=None)
    shown = [
        (title, text)
        for title, text in _COLUMNS
        if title == "strategy" or len({text(row) for row in rows}) > 1
    ]
    for title, _ in shown:
        found.add_column(title)
    for title in ("of best", "within 2%", "seconds", "trials"):
        found.add_column(title, justify="right")
    for row in rows:
        found.add_row(
            *(text(row) for _, text in shown),
            percent(row.speed),
            f"{100 * row.within:.0f}%",
            figure(row.seconds, 1),
            figure(row.trials, 0),
        )
    return found


def _strategy(row: Row) -> str:
    options = ",".join(f"{k}={v}" for k, v in row.setting.options.items())
    return row.setting.strategy + (f":{options}" if options else "")


def _repetition(row: Row) -> str:
    milliseconds = row.setting.measuring.repetition_ms
    return "recorded" if milliseconds is None else f"{milliseconds:g} ms"


def _slower(row: Row) -> str:
    factor = row.setting.measuring.slower
    return "never" if factor is None else f"{factor:g}x"


_COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("strategy", _strategy),
    ("compilers", lambda row: str(row.setting.compilers)),
    ("repetitions", _repetition),
    ("slower", _slower),
    ("until", lambda row: str(row.stop)),
)


def percent(found: Figure) -> str:
    """Mean and deviation in percent."""
    return f"{100 * found.mean:.1f}% ± {100 * found.deviation:.1f}"


def figure(found: Figure, digits: int) -> str:
    """Mean and deviation."""
    return f"{found.mean:.{digits}f} ± {found.deviation:.{digits}f}"


def as_data(
    recordings: Sequence[dict[str, Any]], seeds: int, rows: Sequence[Row]
) -> dict[str, Any]:
    """The report as plain data; docs/result_formats.md has its fields."""
    return {
        "format": "tilewright-replay-1",
        "recordings": list(recordings),
        "seeds": seeds,
        "rows": [_row(row) for row in rows],
    }


def _row(row: Row) -> dict[str, Any]:
    setting = row.setting
    return {
        "recording": row.recording,
        "strategy": setting.strategy,
        "options": dict(setting.options),
        "compilers": setting.compilers,
        "repetition_ms": setting.measuring.repetition_ms,
        "slower": setting.measuring.slower,
        "stop": asdict(row.stop),
        "speed": asdict(row.speed),
        "within_2_percent": row.within,
        "seconds": asdict(row.seconds),
        "trials": asdict(row.trials),
        "replays": row.replays,
    }
