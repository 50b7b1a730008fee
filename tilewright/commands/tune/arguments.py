"""The arguments of `tilewright tune`, and what follows from them alone."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import writing
from tilewright.commands.tune.machines import MachineOptions
from tilewright.tuning.measure.timing import TimingOptions

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from tilewright.schedules.schedule import Schedule

DEFAULT_TRIALS = 50


@dataclass(frozen=True)
class TimingArguments:
    """How candidates are timed; None: as `TimingOptions.of_a_trial` has it."""

    flush_mb: float | None = None
    """Megabytes that flush the L2 between repetitions; 0: no flush."""
    warmup_ms: float | None = None
    repetition_ms: float | None = None

    def options(self) -> TimingOptions:
        """The options of a trial, with what was asked for."""
        return TimingOptions.of_a_trial().with_given(
            self.flush_mb, self.warmup_ms, self.repetition_ms
        )


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    schedule: Path | None
    settings: tuple[str, ...]
    strategy: str
    trials: int | None
    budget: str | None
    database: Path
    target: str | None
    seed: int
    output: Path | None
    summary: Path | None = None
    sizes: tuple[str, ...] = ()
    per_size: bool = False
    machines: MachineOptions = MachineOptions()
    jointly: bool = False
    until_no_gain: int | None = None
    watch: bool = False
    """Whether a page shows the run while it goes on."""
    timing: TimingArguments = TimingArguments()
    log: Path | None = None
    """A file that gets a line for each configuration."""
    share: str | None = None
    """The address of a store of results that a team shares."""
    margin: float | None = None
    """How near the structures are that a planned schedule leaves open; None: the
    structure is planned."""
    given: tuple[ModuleOp, Schedule | None] | None = None
    """Payload and schedule, where they are read already; `file` then only names it."""


def check_writable(path: Path) -> None:
    """Refuse, before the search, a file that cannot be written."""
    existed = path.exists()
    with writing(path), path.open("a"):
        pass
    if not existed:
        path.unlink()


def check_structure(options: Options, *, has_schedule: bool) -> None:
    """Refuse --structure with a schedule, which has the structure that it has."""
    if options.margin is not None and has_schedule:
        raise UsageError(
            "--structure leaves the structure of a planned schedule open; this "
            "schedule is given",
            remedy="leave --structure or the schedule out",
        )


def limits(options: Options) -> tuple[int | None, float | None]:
    """The number of trials and the seconds of a run; None does not limit it."""
    budget = _seconds(options.budget) if options.budget is not None else None
    trials = options.trials
    if trials is None and budget is None and options.until_no_gain is None:
        trials = DEFAULT_TRIALS
    if trials is not None and trials < 1:
        raise UsageError(
            f"--trials {trials}: at least one is needed",
            remedy="leave it out for the default, or limit the time by --budget",
        )
    return trials, budget


def _seconds(text: str) -> float:
    remedy = "such as 60s, 5m, 1h"
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)?", text, re.ASCII)
    if match is None:
        raise UsageError(f"--budget {text}: not a time", remedy=remedy)
    seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2] or "s"]
    if seconds == 0 or not math.isfinite(seconds):
        fact = "no time" if seconds == 0 else "too long"
        raise UsageError(f"--budget {text[:40]}: that is {fact}", remedy=remedy)
    return seconds


def winner_path(options: Options) -> Path:
    """Where the winning schedule goes if --output does not say."""
    base = options.schedule or options.file
    return Path(base.name).with_suffix(".best.tw")
