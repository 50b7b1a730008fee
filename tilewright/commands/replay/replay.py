"""`tilewright replay`: compare searches on recorded results."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.commands.replay.jobs import Job, recordings_of, running
from tilewright.commands.replay.report import ALL, as_data, table
from tilewright.commands.replay.settings import Lists, settings, stops
from tilewright.commands.terminal.console import console, heading, progress_bar
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.tuning.replay.comparison import Row, Setting, row
from tilewright.tuning.replay.recorded_space import RecordedSpace
from tilewright.tuning.replay.trace import Ending, Stop

STRATEGIES = ("guided", "evolution", "random")

__all__ = ["Arguments", "Lists", "STRATEGIES", "replay"]


@dataclass(frozen=True)
class Arguments:
    """The arguments of the command."""

    recordings: tuple[Path, ...]
    strategies: tuple[str, ...] = STRATEGIES
    seeds: int = 10
    lists: Lists = Lists()
    only: str = ""
    each: bool = False
    jobs: int | None = None
    as_json: bool = False
    output: Path | None = None


def replay(arguments: Arguments) -> None:
    """Replay every combination of the settings, and print what they find."""
    if arguments.output is not None and not arguments.as_json:
        raise UsageError("-o writes JSON", remedy="add --json")
    rules = stops(arguments.lists)
    compared = settings(arguments.strategies, arguments.lists)
    chosen = _chosen(arguments)
    jobs = [
        Job(path, place, setting, seed, tuple(rules))
        for path, place in chosen
        for setting in compared
        for seed in range(arguments.seeds)
    ]
    found = _run(jobs, arguments)
    rows = _rows(found, rules)
    if arguments.as_json:
        data = as_data(
            [_described(recordings_of(path)[place]) for path, place in chosen],
            arguments.seeds,
            rows,
        )
        write_output(json.dumps(data, indent=1) + "\n", arguments.output)
        return
    _print(rows, chosen, arguments)


def _chosen(arguments: Arguments) -> list[tuple[Path, int]]:
    """The recordings, by file and place in it."""
    try:
        pattern = re.compile(arguments.only)
    except re.error as error:
        raise UsageError(
            f"--only: {error}", remedy="write a regular expression"
        ) from error
    known: list[str] = []
    chosen: list[tuple[Path, int]] = []
    for path in arguments.recordings:
        for place, one in enumerate(recordings_of(path)):
            known.append(one.name)
            if pattern.search(one.name):
                _ = one.best  # a recording in which nothing works is an error
                chosen.append((path, place))
    if not chosen:
        raise UserError(
            f"no recording has a name with '{arguments.only}'",
            remedy=f"such as: {'; '.join(known[:8])}",
        )
    return chosen


def _run(jobs: Sequence[Job], arguments: Arguments) -> list[tuple[Job, list[Ending]]]:
    processes = arguments.jobs or os.cpu_count() or 1
    found: list[tuple[Job, list[Ending]]] = []
    with (
        running(jobs, processes) as results,
        progress_bar(console(stderr=True), "replaying") as tell,
    ):
        for job, result in zip(jobs, results, strict=True):
            found.append((job, result))
            tell(f"{len(found)} of {len(jobs)}")
    return found


def _rows(
    found: Sequence[tuple[Job, list[Ending]]], rules: Sequence[Stop]
) -> list[Row]:
    """The figures over all recordings, then those of each."""
    groups: dict[tuple[str, int, int], list[Ending]] = {}
    known: list[Setting] = []
    for job, results in found:
        if job.setting not in known:
            known.append(job.setting)
        name = recordings_of(job.path)[job.place].name
        for place, ending in enumerate(results):
            for group in (ALL, name):
                key = (group, known.index(job.setting), place)
                groups.setdefault(key, []).append(ending)
    order = {group: None for group, _, _ in groups}
    return [
        row(group, setting, rule, groups[group, number, place])
        for group in order
        for number, setting in enumerate(known)
        for place, rule in enumerate(rules)
    ]


def _described(recorded: RecordedSpace) -> dict[str, Any]:
    worked = sum(one.milliseconds is not None for one in recorded.points)
    return {
        "name": recorded.name,
        "device": recorded.device,
        "versions": recorded.versions,
        "points": len(recorded.points),
        "working": worked,
        "best_ms": recorded.best.milliseconds,
        "best": recorded.best.point,
    }


def _print(
    rows: Sequence[Row], chosen: Sequence[tuple[Path, int]], arguments: Arguments
) -> None:
    out = console()
    recorded = [recordings_of(path)[place] for path, place in chosen]
    points = sum(len(one.points) for one in recorded)
    say(
        f"{count(len(recorded), 'recording')}, {count(points, 'point')}, "
        f"{count(arguments.seeds, 'replay')} of each setting; "
        "mean ± standard deviation"
    )
    estimated = sum(one.is_estimated for one in recorded)
    if estimated:
        which = "all" if estimated == len(recorded) else str(estimated)
        say(
            f"the times of {which} of them are the cost model's: nothing was measured "
            "there, so they compare searches on estimates"
        )
    if not all(one.is_complete for one in recorded):
        say("points that are not recorded count as points that do not run")
    out.print(table([one for one in rows if one.recording == ALL]))
    if arguments.each:
        for one in recorded:
            heading(out, one.name)
            out.print(table([line for line in rows if line.recording == one.name]))
