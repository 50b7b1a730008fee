"""The trials of a results file while a run writes it, for a page that follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.explorer.server.lane import Lane
from tilewright.ir.errors import UserError

LIMIT = 60.0
"""Seconds for the data of a page, and for the steps of a trial."""


@dataclass(frozen=True)
class ResultsJob:
    """Read the trials so far."""

    path: Path
    is_running: bool
    """Whether further trials may come; what they teach waits for the last."""

    def run(self) -> dict[str, Any]:
        """The data of the tuning page, and whether the run goes on."""
        from tilewright.explorer.trials.trials_data import Extent, trials_data

        found: dict[str, Any] = {"title": f"Tuning: {self.path.name}", "runs": []}
        if self.path.exists():
            try:
                extent = Extent(explained=not self.is_running)
                found = trials_data(self.path, extent=extent)
            except UserError as error:
                found["waiting"] = error.fact
        return {**found, "running": self.is_running}


@dataclass(frozen=True)
class DetailJob:
    """Build the program of one trial."""

    path: Path
    run_key: str
    trial: int

    def run(self) -> dict[str, Any]:
        """Its schedule, steps and source."""
        from tilewright.explorer.trials.trial_detail import trial_detail

        try:
            return trial_detail(self.path, self.run_key, self.trial)
        except UserError as error:
            return {"refused": error.fact}


@dataclass(frozen=True)
class ResultsFeed:
    """A results file, the worker that reads it, and whether its run goes on."""

    path: Path
    lane: Lane
    is_running: Callable[[], bool]

    def results(self) -> Any:
        """The data, as a future."""
        return self.lane.submit(ResultsJob(self.path, self.is_running()), LIMIT)

    def detail(self, query: Mapping[str, str]) -> Any:
        """One trial, as a future."""
        trial = query.get("trial", "")
        number = int(trial) if trial.isdecimal() else -1
        job = DetailJob(self.path, query.get("run", ""), number)
        return self.lane.submit(job, LIMIT)
