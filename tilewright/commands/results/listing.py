"""`tilewright results list` and `show`: runs, and the trials of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from tilewright.commands.results.tried_runs import (
    TriedRun,
    add_row,
    note,
    opened_file,
    print_json,
    run_data,
    tried_runs,
)
from tilewright.commands.terminal.console import console
from tilewright.ir.phrases import count
from tilewright.tuning.explaining.tuning_log import point_text
from tilewright.tuning.results.reader import read_runs, read_trials
from tilewright.tuning.results.runs import Run, RunTrial
from tilewright.tuning.results.selection import (
    moment,
    payload_name,
    run_name,
    schedule_name,
    select_one,
    sizes_name,
)

RUNS_FORMAT = "tilewright-runs-1"
RUN_FORMAT = "tilewright-run-1"


def list_runs(database: Path, words: tuple[str, ...], as_json: bool) -> None:
    """Print a row for each run that the words name."""
    with opened_file(database) as opened:
        found = tried_runs(opened, words)
    if as_json:
        runs = [run_data(tried) for tried in found]
        print_json({"format": RUNS_FORMAT, "file": str(database), "runs": runs})
        return
    sized = any(sizes_name(tried.run.setting) for tried in found)
    table = Table(
        *("run", "when", "payload", *(["sizes"] if sized else []), "schedule"),
        *("device", "trials", "ok", "best ms", "best point"),
        box=None,
    )
    for tried in found:
        run, best = tried.run, tried.best
        setting = run.setting
        add_row(
            table,
            number_text(run),
            moment(run.started),
            payload_name(setting),
            *([sizes_name(setting) or "-"] if sized else []),
            schedule_name(setting),
            setting.device,
            str(len(tried.trials)),
            str(len(tried.ranking)),
            "-" if best is None else f"{best.record.milliseconds:.4f}",
            "-" if best is None else point_text(best.point),
        )
    console().print(table)


def number_text(run: Run) -> str:
    """`#3`; a dash for results that belong to no run."""
    return f"#{run.number}" if run.is_recorded else "-"


def show(database: Path, words: tuple[str, ...], most: int, as_json: bool) -> None:
    """Print the trials of the run that the words name, fastest first."""
    with opened_file(database) as opened:
        run, older = select_one(read_runs(opened), words)
        tried = TriedRun(run, read_trials(opened, run))
    failed = [trial for trial in tried.trials if trial.record.outcome != "ok"]
    listed = [*tried.ranking, *failed]
    if as_json:
        trials = [_trial_data(trial) for trial in listed]
        print_json({"format": RUN_FORMAT, "run": run_data(tried), "trials": trials})
        return
    for line in _head(tried):
        console().print(line, markup=False)
    table = Table(
        *("ms", "p20", "p80", "trial", "after s", "outcome", "point", "error"),
        box=None,
    )
    for trial in listed[:most]:
        record = trial.record
        times = (record.milliseconds, record.p20, record.p80)
        add_row(
            table,
            *("-" if ms is None else f"{ms:.4f}" for ms in times),
            str(trial.number),
            "-" if trial.at_seconds is None else f"{trial.at_seconds:.1f}",
            record.outcome,
            point_text(trial.point),
            record.error.splitlines()[0][:80] if record.error else "",
        )
    console().print(table)
    if len(listed) > most:
        note(f"{len(listed) - most} more trials; --count {len(listed)} shows all")
    if older:
        note(
            f"this is the latest of {older + 1} runs of that name; name an older one "
            "by its date or its number ('tilewright results list')"
        )


def _head(tried: TriedRun) -> list[str]:
    run = tried.run
    versions = run.setting.versions
    outcomes = ", ".join(f"{n} {name}" for name, n in tried.outcomes().items())
    lines = [f"{number_text(run)} {run_name(run)}".removeprefix("- ")]
    if run.command:
        lines.append(f"command: {run.command}")
    if run.is_recorded:
        wall = "" if run.wall_seconds is None else f" after {run.wall_seconds:.1f} s"
        ended = run.ending or "killed, or still under way"
        lines.append(f"strategy {run.strategy}, seed {run.seed}; {ended}{wall}")
    times = "measured" if run.measured else "estimated by the cost model"
    lines.append(f"{count(len(tried.trials), 'trial')}: {outcomes}; times are {times}")
    lines.append(
        f"torch {versions.torch}, triton {versions.triton}, tilewright "
        f"{versions.tilewright}"
    )
    return lines


def _trial_data(trial: RunTrial) -> dict[str, Any]:
    record = trial.record
    final = record.final
    return {
        "number": trial.number,
        "choices": dict(trial.point),
        "outcome": record.outcome,
        "cause": record.cause,
        "origin": trial.origin,
        "ms": record.milliseconds,
        "p20": record.p20,
        "p50": record.p50,
        "p80": record.p80,
        "interval": None if final is None else [final.low, final.high],
        "ms_at_each_size": list(record.each),
        "repetitions": record.repetitions,
        "estimate_ms": trial.estimate,
        "at_seconds": trial.at_seconds,
        "recorded": record.created,
        "error": record.error,
    }
