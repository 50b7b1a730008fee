"""`--time`: the time of a run, a line for each step."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tilewright.ir.phrases import count
from tilewright.transforms.interpreter import ScheduleRun

if TYPE_CHECKING:
    from rich.table import Table


class Clock:
    """Adds up the seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Count what happens inside as `stage`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - start)

    def add(self, stage: str, seconds: float) -> None:
        """Count some seconds as `stage`."""
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


def table_of(
    run: ScheduleRun | None, clock: Clock, passes: Mapping[str, float] | None = None
) -> Table:
    """A table: the steps in order, ops that changed nothing together, the stages.

    `passes` are those of code generation, and their seconds.
    """
    rows: list[tuple[str, str, str, float]] = []
    idle: list[float] = []
    for ran in run.ran if run is not None else ():
        if ran.step is None:
            idle.append(ran.seconds)
            continue
        place = str(ran.step.place or "(default)")
        rows.append((f"{ran.step.index}", ran.step.name, place, ran.seconds))
    if idle:
        title = f"{count(len(idle), 'op')} that changed nothing"
        rows.append(("", title, "", sum(idle)))
    rows += [("", name, "", seconds) for name, seconds in (passes or {}).items()]
    stages = dict(clock.seconds)
    if run is not None:
        stages["verify the IR"] = run.verify_seconds
    total = sum(row[3] for row in rows) + sum(stages.values())
    from rich.table import Table

    table = Table("#", "step", "place", box=None, header_style="bold")
    table.add_column("ms", justify="right")
    table.add_column("share", justify="right")
    for number, name, place, seconds in rows:
        table.add_row(number, name, place, *_figures(seconds, total))
    table.add_section()
    for stage, seconds in stages.items():
        table.add_row("", stage, "", *_figures(seconds, total), style="dim")
    table.add_row("", "total", "", *_figures(total, total), style="bold")
    return table


def _figures(seconds: float, total: float) -> tuple[str, str]:
    share = 100 * seconds / total if total else 0.0
    return f"{seconds * 1e3:.1f}", f"{share:.0f}%"
