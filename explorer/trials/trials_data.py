"""The data of a tuning page: the runs of a file, their trials, what they teach."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from tilewright.explorer.trials.columns import choices_of, columns_of
from tilewright.explorer.trials.findings import best_row, failures_of, findings_of
from tilewright.explorer.trials.programs import ProgramBook, worth_building
from tilewright.explorer.trials.sources import (
    RunSource,
    chosen_run,
    damaged_results,
    open_runs,
)
from tilewright.explorer.trials.structures import structures_of
from tilewright.explorer.trials.trial_detail import facts_of
from tilewright.tuning.results.records import OUTCOMES

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Extent:
    """How much a page holds: its size and the time to make it depend on it."""

    programs: int = 0
    """Trials whose steps and source are built."""
    program_seconds: float = 60.0
    """Seconds after which no further program is built."""
    program_bytes: int = 2_500_000
    trials: int = 40_000
    """Trials of all runs; further runs have their summary only."""
    finding_seconds: float = 15.0
    """Seconds after which no further run is explained."""
    explained: bool = True
    """Whether the run that the page begins with is explained."""


def trials_data(
    path: Path,
    words: Sequence[str] = (),
    *,
    extent: Extent | None = None,
    progress: Tell = lambda _: None,
) -> dict[str, Any]:
    """What the page of a results file shows; `words` name the run to begin with.

    Quick unless `extent` asks for programs: nothing is built.
    """
    extent = extent or Extent()
    with open_runs(path) as runs:
        shown = chosen_run(runs, words) if runs else None
        book = ProgramBook(extent.program_bytes, extent.program_seconds)
        order = sorted(range(len(runs)), key=lambda i: (i != shown, -i))
        entries: dict[int, dict[str, Any]] = {}
        room = extent.trials
        until = time.perf_counter() + extent.finding_seconds
        for place in order:
            source = runs[place]
            progress(f"reading run {source.key}")
            entry = _summary(source)
            count = len(source.rows)
            if place == shown or count <= room:
                room -= count
                is_first = place == shown
                explained = extent.explained and (
                    is_first or time.perf_counter() < until
                )
                entry |= _whole(source, explained)
                built = extent.programs if is_first else 0
                entry["details"] = _details(source, entry, built, book, progress)
            entries[place] = entry
        return {
            "title": f"Tuning: {path.name}",
            "subtitle": _subtitle(runs, shown),
            "source": path.name,
            "outcomes": OUTCOMES,
            "shown": shown,
            "runs": [entries[place] for place in range(len(runs))],
            "text": book.table.lines,
            "damaged": damaged_results(runs),
        }


def _subtitle(runs: Sequence[RunSource], shown: int | None) -> str:
    if shown is None:
        return "no runs"
    others = f"{len(runs)} runs; " if len(runs) > 1 else ""
    about = runs[shown].about
    sizes = f" {about['sizes']}" if about["sizes"] else ""
    return f"{others}{about['payload']}{sizes} on {about['device']}"


def _summary(source: RunSource) -> dict[str, Any]:
    """What the list of runs shows, of every run."""
    log = source.log
    best = log.best
    return {
        "key": source.key,
        **source.about,
        "wall_seconds": log.wall_seconds,
        "clock": log.clock,
        "count": len(log.trials),
        "worked": len(log.worked),
        "counts": log.outcomes,
        "best_ms": None if best is None else best.milliseconds,
        "best_point": None if best is None else best.point,
        "view": _view_command(source),
        "trials": None,
    }


def _whole(source: RunSource, explained: bool) -> dict[str, Any]:
    space = source.log.known_space
    return {
        "choices": choices_of(source),
        "valid_points": None if space is None else space.count_valid(),
        "trials": columns_of(source),
        "best": best_row(source),
        "structures": structures_of(source),
        "failures": failures_of(source),
        "schedule_text": None if source.schedule is None else source.schedule.as_data(),
        "findings": findings_of(source) if explained else None,
    }


def _details(
    source: RunSource,
    entry: dict[str, Any],
    count: int,
    book: ProgramBook,
    progress: Tell,
) -> dict[str, Any]:
    """By row: the trials that the page has in full."""
    found: dict[str, Any] = {}
    rows = worth_building(source, entry["best"], count) if count else []
    for done, row in enumerate(rows):
        if book.is_full:
            break
        progress(f"building trial {source.rows[row].number} ({done + 1}/{len(rows)})")
        trial = source.rows[row]
        program = book.program(source, trial)
        found[str(row)] = {**facts_of(source, trial), "program": program}
    return found


def _view_command(source: RunSource) -> str | None:
    """The command of the program page, to which `--set` is added; None for parts."""
    payload, schedule = str(source.about["payload"]), str(source.about["schedule"])
    try:
        words = shlex.split(str(source.about["command"]))
    except ValueError:
        words = []
    payload = _given(words, payload)
    schedule = _given(words, schedule)
    if not payload.endswith(".mlir"):
        return None
    command = ["tilewright", "view", payload]
    if re.search(r"\.(tw|mlir)$", schedule):
        command += ["-s", schedule]
    return shlex.join(command)


def _given(words: Sequence[str], name: str) -> str:
    """The path that the command line had for a file name."""
    return next((word for word in words if PurePath(word).name == name), name)
