"""`tilewright tune`: search, show the progress and the best, write the winner back."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.runtime.size_checks import refused_sizes
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.codegen.targets import detect
from tilewright.commands.check_winner import Winner, check_winner, ended_by_sigterm
from tilewright.commands.inputs.programs import (
    need_schedule,
    parse_settings,
    read_both,
    replace_text,
    wanted_target,
    warn,
    writing,
)
from tilewright.commands.inputs.tune_sizes import Sized, questions
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.tune_summary import write_summary
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import Comparison
from tilewright.numeric_check import check_kernel_ir, rounded
from tilewright.pipeline import Built, Point, build
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.options import (
    ExpectedResults,
    TuneOptions,
    TuningTask,
    default_workers,
)
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.results.tuning_result import Trial, TuningResult, count_reasons
from tilewright.tuning.search.strategies import STRATEGIES
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.tuner import tune as search

DEFAULT_TRIALS = 50
CHECK_ALL_BELOW = 2e9
"""Floating-point operations up to which every candidate is run in an interpreter;
above, only the winner is."""
_REASONS = 6
"""Reasons for failures that the report lists."""


@dataclass(frozen=True)
class Options:
    """What the command was given."""

    file: Path
    schedule: Path | None
    settings: tuple[str, ...]
    strategy: str
    trials: int | None
    budget: str | None
    database: Path
    target: str | None
    seed: int
    jobs: int | None
    output: Path | None
    summary: Path | None = None
    sizes: tuple[str, ...] = ()


def tune(options: Options) -> None:
    """Tune, and say how it went."""
    started = time.perf_counter()
    if options.strategy not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UsageError(
            f"--strategy {options.strategy}: no such strategy",
            remedy=f"one of: {known}",
        )
    console = output_console()
    trials, budget = _limits(options)
    path = options.output or _winner_path(options)
    for target_file in (path, options.summary):
        if target_file is not None:
            _check_writable(target_file)
    payload, loaded = read_both(options.file, options.schedule)
    schedule = need_schedule(loaded, options.file)
    schedule = schedule.with_point(parse_settings(options.settings))
    space = read_space(schedule.module)
    here = detect()
    on_gpu = here is not None and options.target is None
    target = here if on_gpu else wanted_target(options.target or "h200")
    assert target is not None
    console.print(
        f"{space.count()} of {space.combinations()} combinations are valid; strategy "
        f"{options.strategy}"
    )
    with console.status("computing the reference on numpy"):
        asked = questions(payload, schedule, space, options.sizes, options.seed)
    _say_sizes(asked, console)
    names = options.file.name, (options.schedule or options.file).name
    subject = _subject(payload, schedule, space, asked, on_gpu, names)
    if not on_gpu:
        console.print(
            f"no GPU: candidates are compiled for {target.name} and ranked by the cost "
            f"model; {_what_is_checked(asked)}",
            style="yellow",
        )
    settings = TuneOptions(
        target=target,
        cache_dir=source_directory(),
        device="cuda" if on_gpu else None,
        strategy=options.strategy,
        trials=trials,
        budget=budget,
        started=started,
        seed=options.seed,
        workers=options.jobs or default_workers(),
    )
    with (
        ended_by_sigterm(),
        Database(options.database) as database,
        _Bar(console, settings, space) as bar,
    ):
        result = search(subject, settings, database, bar)
    warn(list(result.remarks))
    report(result, console, [one.title for one in asked if one.timed])
    bound = schedule.with_point(result.best.point)
    replace_text(path, bound.to_tw(device=result.device, time=datetime.now(UTC)))
    console.print(f"the winner, with no choices left: {path}", style="bold")
    if options.summary is not None:
        write_summary(result, options.summary)
        console.print(f"summary: {options.summary}", style="dim", markup=False)
    console.print(f"all results: {options.database}", style="dim", markup=False)
    if not on_gpu:
        left = None if budget is None else budget - (time.perf_counter() - started)
        winner = Winner(payload, schedule, result.best.point, asked)
        check_winner(winner, path, console, left)


def _what_is_checked(asked: Sequence[Sized]) -> str:
    """Which candidates an interpreter runs, in words."""
    quick = [one for one in asked if one.question.work <= CHECK_ALL_BELOW]
    if len(quick) == len(asked):
        return "each is checked by the kernel-level interpreter"
    if not quick:
        return "the winner alone is checked by an interpreter: the payload is large"
    return "each is checked by the kernel-level interpreter at the smaller sizes"


def _subject(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    asked: Sequence[Sized],
    on_gpu: bool,
    names: tuple[str, str],
) -> TuningTask:
    """What is tuned."""
    expected = tuple(one.expected_results() for one in asked)
    timed = [one for one in asked if one.timed]
    shapes = [one.shapes for one in timed if one.shapes is not None]

    def make(point: Point) -> Built:
        # Half the time of a schedule goes into verifying between its steps.
        built = build(payload, schedule, point, verify_steps=False, shapes=shapes)
        for one in timed:
            if not one.fits(built):
                reason = refused_sizes(built.kernel, one.shapes or ())
                raise SilenceableFailure(f"not for {one.title}: {reason}")
        return built

    def check(built: Built) -> Comparison:
        return _first_wrong(
            (one.title, check_kernel_ir(built, one.question))
            for one in asked
            if one.question.work <= CHECK_ALL_BELOW and one.fits(built)
        )

    def accepts(built: Built, results: ExpectedResults) -> bool:
        return results.shapes is None or (
            refused_sizes(built.kernel, results.shapes) is None
        )

    case_of = {id(results): one for results, one in zip(expected, asked, strict=True)}

    def rounding(built: Built) -> str:
        if not built.roundings:
            return ""
        return text_hash(to_text(built.roundings[-1].payload))

    def expected_for(built: Built, results: ExpectedResults) -> ExpectedResults:
        """The numbers of the payload that the candidate rounds."""
        question = rounded(built, case_of[id(results)].question)
        return replace(results, arrays=question.expected, slack=question.device_slack)

    quick = any(one.question.work <= CHECK_ALL_BELOW for one in asked)
    return TuningTask(
        build=make,
        space=space,
        payload=text_hash(to_text(payload)),
        schedule=text_hash(to_text(schedule.module)),
        expected=expected,
        check=check if quick and not on_gpu else None,
        sizes="; ".join(one.title for one in timed),
        accepts=accepts,
        expected_for=expected_for,
        rounding=rounding,
        payload_name=names[0],
        schedule_name=names[1],
    )


def _first_wrong(outcomes: Iterable[tuple[str, Comparison]]) -> Comparison:
    """The first comparison that is off, and at which sizes; else the last."""
    last: Comparison | None = None
    for title, last in outcomes:
        if not last.ok:
            where = f"at {title}: " if title else ""
            return replace(last, message=f"{where}{last.message}")
    return last or Comparison(True, 0.0, 0.0, "not checked")


def _say_sizes(asked: Sequence[Sized], console: Console) -> None:
    timed = [one.title for one in asked if one.timed and one.title]
    checked = [one.title for one in asked if not one.timed]
    if not timed:
        return
    mean = ", ranked by the geometric mean of the times" if len(timed) > 1 else ""
    console.print(
        f"one program for any size, tuned at {' and at '.join(timed)}{mean}; "
        f"also checked at {' and at '.join(checked)}",
        style="dim",
    )


def report(result: TuningResult, console: Console, sizes: Sequence[str] = ()) -> None:
    """The best few, how the trials ended, and where the time went."""
    unit = "ms" if result.measured else "ms (estimated)"
    if len(sizes) > 1:
        unit = f"mean {unit}"
    ranking = result.ranking()
    names = list(ranking[0].point) if ranking else []
    table = Table("rank", unit, *names, box=None, header_style="bold")
    for position, trial in enumerate(ranking[:10], 1):
        cells = [str(trial.point.get(name, "-")) for name in names]
        table.add_row(str(position), f"{trial.milliseconds:.4f}", *cells)
    console.print(table)
    if result.finalists:
        finals = Table("finalist", "ms", "95% interval", box=None, header_style="bold")
        for finalist in result.finalists:
            final = finalist.final
            span = f"{final.low:.4f} .. {final.high:.4f}"
            finals.add_row(finalist.name, f"{final.median:.4f}", span)
        console.print(finals)
    for title, ms in zip(sizes, result.best.record.each, strict=False):
        console.print(f"the best at {title}: {ms:.4f} ms")
    if result.interrupted:
        console.print(
            f"interrupted after {len(result.trials)} trials; the best so far is kept",
            style="yellow",
        )
    counts = ", ".join(f"{n} {name}" for name, n in result.counts().items())
    origins = ", ".join(f"{n} {name}" for name, n in result.origins().items())
    console.print(f"trials: {counts} ({origins})")
    _say_reasons(result, console)
    for name in result.idle_choices():
        console.print(
            f"note: '{name}' changed nothing in the kernels or their launches",
            style="yellow",
        )
    spent = ", ".join(
        f"{stage} {seconds:.1f} s"
        for stage, seconds in result.seconds.items()
        if seconds
    )
    console.print(
        f"time: {result.wall_seconds:.1f} s, {result.trials_per_second:.2f} trials/s; "
        f"{spent}",
        style="dim",
    )
    for warning in result.warnings:
        console.print(f"note: {warning}", style="yellow")


def _say_reasons(result: TuningResult, console: Console) -> None:
    """Why trials did not work: the reasons, with the schedule's line, by frequency."""
    reasons = count_reasons(result.trials)
    for reason, count in reasons[:_REASONS]:
        console.print(f"  {count} x {reason}", style="dim", markup=False)
    if len(reasons) > _REASONS:
        console.print(f"  and {len(reasons) - _REASONS} other reasons", style="dim")
    passing = sum(trial.cause == "environment" for trial in result.trials)
    if passing:
        console.print(
            f"note: something happened to {passing} of them (a worker killed from "
            "outside, a full disk, a machine too busy): the next run tries them again",
            style="yellow",
        )


def _check_writable(path: Path) -> None:
    """Find out before the search, not after it, that a result cannot be written."""
    existed = path.exists()
    with writing(path), path.open("a"):
        pass
    if not existed:
        path.unlink()


def _limits(options: Options) -> tuple[int | None, float | None]:
    budget = _seconds(options.budget) if options.budget is not None else None
    trials = options.trials
    if trials is None and budget is None:
        trials = DEFAULT_TRIALS
    if trials is not None and trials < 1:
        raise UsageError(
            f"--trials {trials}: at least one is needed",
            remedy=f"leave it out for {DEFAULT_TRIALS}, or limit the time by --budget",
        )
    return trials, budget


def _seconds(text: str) -> float:
    remedy = "such as 60s, 5m, 1h"
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)?", text, re.ASCII)
    if match is None:
        raise UsageError(f"--budget {text}: not a time", remedy=remedy)
    seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2] or "s"]
    if seconds == 0 or not math.isfinite(seconds):
        fact = "no time" if seconds == 0 else "no number of seconds"
        raise UsageError(f"--budget {text[:40]}: that is {fact}", remedy=remedy)
    return seconds


def _winner_path(options: Options) -> Path:
    base = options.schedule or options.file
    return Path(base.name).with_suffix(".best.tw")


class _Bar:
    """A progress bar that shows the best so far."""

    def __init__(self, console: Console, options: TuneOptions, space: Space):
        self._best: Trial | None = None
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[best]}", markup=False),
            console=console,
            transient=not console.is_terminal,
        )
        total = options.planned(space)
        self._task = self._progress.add_task("search", total=total, best="")

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def on_phase(self, name: str) -> None:
        """Another part of the run."""
        self._progress.update(self._task, description=name)

    def on_trial(self, trial: Trial) -> None:
        """One more; keep the fastest in sight."""
        time = trial.milliseconds
        best = self._best.milliseconds if self._best is not None else None
        if time is not None and (best is None or time < best):
            self._best = trial
            best = time
        shown = f"best {best:.4f} ms" if best is not None else "none works yet"
        self._progress.update(self._task, advance=1, best=shown)
