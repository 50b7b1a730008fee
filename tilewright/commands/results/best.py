"""`tilewright results best`: the winner of each payload, and its closed schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tilewright.commands.results.tried_runs import (
    TriedRun,
    best_data,
    milliseconds_text,
    opened_file,
    print_json,
    tried_runs,
)
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import replace_text
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.tuning_log import point_text
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_text
from tilewright.tuning.results.runs import Run, RunTrial
from tilewright.tuning.results.selection import (
    Subject,
    moment,
    schedule_name,
    subject_of,
)

BEST_FORMAT = "tilewright-best-1"


@dataclass(frozen=True)
class Winner:
    """The fastest trial of a payload at its sizes on a device."""

    subject: Subject
    run: Run
    trial: RunTrial


def winners_of(runs: Sequence[TriedRun]) -> list[Winner]:
    """The fastest trial of each payload, sizes and device; of equal ones the latest."""
    found: dict[Subject, tuple[tuple[bool, float], Winner]] = {}
    for tried in runs:
        best = tried.best
        if best is None or best.record.milliseconds is None:
            continue
        subject = subject_of(tried.run)
        rank = (best.record.final is None, best.record.milliseconds)
        if subject not in found or rank <= found[subject][0]:
            found[subject] = rank, Winner(subject, tried.run, best)
    return [winner for _, winner in found.values()]


def best(
    database: Path,
    words: tuple[str, ...],
    output: Path | None,
    schedule: Path | None,
    as_json: bool,
) -> None:
    """Print the winners among the runs that the words name; write one's schedule."""
    with opened_file(database) as opened:
        found = winners_of(tried_runs(opened, words))
        if not found:
            raise UserError(
                f"no trial worked in the runs of {database} that were named",
                remedy="'tilewright results show' lists why they failed",
            )
        text = None
        if output is not None:
            text = closed_schedule(opened, _only(found), schedule)
    if output is not None and text is not None:
        replace_text(output, text)
    if as_json:
        winners = [_winner_data(winner) for winner in found]
        print_json({"format": BEST_FORMAT, "file": str(database), "best": winners})
        return
    for winner in found:
        for line in winner_lines(winner):
            console().print(line, markup=False)
    if output is not None:
        console().print(f"the closed schedule: {output}", style="bold", markup=False)


def closed_schedule(database: Database, winner: Winner, given: Path | None) -> str:
    """The schedule of a winner with its choices closed, as `.tw` text."""
    setting = winner.run.setting
    name = schedule_name(setting)
    if given is not None:
        schedule = Schedule.from_path(given)
    else:
        text = read_text(database, setting.schedule)
        if text is None:
            raise UserError(
                f"{database.path} does not have the text of the schedule {name}: an "
                "older version of tilewright recorded it, or it was imported",
                remedy=f"give the schedule with --schedule {name}",
            )
        schedule = Schedule.from_text(text, f"{Path(name).stem}.mlir")
    bound = schedule.with_point(winner.trial.point)
    created = winner.trial.record.created
    time = datetime.fromisoformat(created) if created else None
    return bound.to_tw(device=setting.device, time=time)


def winner_lines(winner: Winner) -> list[str]:
    """The winner in words: what, how fast, where from, and its choices."""
    record = winner.trial.record
    run = winner.run
    final = record.final
    between = ""
    if final is not None:
        between = f", 95% between {final.low:.4f} and {final.high:.4f}"
    number = f", run #{run.number}" if run.is_recorded else ""
    lines = [
        f"{winner.subject}: {milliseconds_text(record.milliseconds, run.measured)}"
        f"{between}",
        f"  {schedule_name(run.setting)}, tuned {moment(record.created)}, trial "
        f"{winner.trial.number}{number}",
        f"  {point_text(winner.trial.point)}",
    ]
    if len(record.each) > 1:
        sizes = [each.strip() for each in run.setting.sizes.split(";")]
        pairs = zip(sizes, record.each, strict=False)
        lines.append("  " + ", ".join(f"{size}: {ms:.4f} ms" for size, ms in pairs))
    return lines


def _only(winners: Sequence[Winner]) -> Winner:
    if len(winners) == 1:
        return winners[0]
    named = "; ".join(str(winner.subject) for winner in winners[:6])
    raise UserError(
        f"-o writes one schedule, and {len(winners)} payloads, sizes and devices are "
        f"named: {named}",
        remedy="add words until one is left, such as the sizes or the device",
    )


def _winner_data(winner: Winner) -> dict[str, Any]:
    setting = winner.run.setting
    return {
        **asdict(winner.subject),
        "schedule": schedule_name(setting),
        "run": winner.run.number,
        **best_data(winner.trial),
        "ms_at_each_size": list(winner.trial.record.each),
        "versions": asdict(setting.versions),
    }
