"""A tuning run as JSON (`tune --summary`); docs/result_formats.md has every field."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tilewright.commands.terminal.output_files import replace_text
from tilewright.schedules.size_table import Rule
from tilewright.tuning.results.tuning_result import TuningResult


def write_summary(
    result: TuningResult,
    path: Path,
    tasks: Sequence[dict[str, Any]] = (),
    rules: Sequence[Rule] = (),
    structures: Sequence[dict[str, Any]] = (),
) -> None:
    """Write the summary of a run to a file, with the kernels that it tuned alone."""
    summary = summary_of(result, tasks, rules, structures)
    replace_text(path, json.dumps(summary, indent=1) + "\n")


def summary_of(
    result: TuningResult,
    tasks: Sequence[dict[str, Any]] = (),
    rules: Sequence[Rule] = (),
    structures: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The winner, the outcomes of the trials, and where the time went."""
    return {
        "command": command_line(),
        "device": result.device,
        "measured": result.measured,
        "versions": asdict(result.best.record.setting.versions),
        "strategy": result.strategy,
        "space": {"size": result.space_size, "valid": result.space_valid},
        "sizes": result.best.record.setting.sizes,
        "best": {
            "point": result.best.point,
            "ms": result.best.milliseconds,
            "ms_at_each_size": list(result.best.record.each),
        },
        "default": _default(result),
        "finalists": [asdict(finalist) for finalist in result.finalists],
        "outcomes": result.counts(),
        "origins": result.origins(),
        "wall_seconds": result.wall_seconds,
        "trials_per_second": result.trials_per_second,
        "seconds": result.seconds,
        "device_use": result.device_use,
        "milestones": result.milestones,
        "timing_share": result.timing_share,
        "reference": result.reference,
        "lost_workers": result.lost_workers,
        "tasks": list(tasks),
        "structures": list(structures),
        "table": [{"when": rule.title, "point": dict(rule.point)} for rule in rules],
        "trials": [
            {
                "number": trial.number,
                "point": trial.point,
                "outcome": trial.outcome,
                "cause": trial.cause,
                "error": trial.record.error,
                "ms": trial.milliseconds,
                "estimate_ms": trial.estimate,
            }
            for trial in result.trials
        ],
    }


def _default(result: TuningResult) -> dict[str, Any] | None:
    """The default point and its trial, if the schedule has one."""
    if result.default_point is None:
        return None
    trial = result.default_trial
    return {
        "point": result.default_point,
        "trial": None if trial is None else trial.number,
        "ms": None if trial is None else trial.milliseconds,
        "gain": result.gain(),
    }


def command_line() -> str:
    """The command, as one would type it again."""
    words = [_PASSWORD.sub(r"\1***@", word) for word in sys.argv[1:]]
    return shlex.join(["tilewright", *words])


_PASSWORD = re.compile(r"(://[^/@:]*:)[^@]*@")
"""The password of an address, which no file may keep."""
