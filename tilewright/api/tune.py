"""`tilewright.tune`: the run of `tilewright tune`, with its outcome as a value."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from tilewright.api.options_in_errors import in_python
from tilewright.api.trial_table import TrialTable
from tilewright.api.tune_result import Best, TuneResult
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.tune.arguments import Options, TimingArguments
from tilewright.commands.tune.check_winner import Winner, checked_winner
from tilewright.commands.tune.machines import MachineOptions
from tilewright.commands.tune.session import Callback, Caller, Tuned, run_session
from tilewright.compile_inputs import GivenPayload, GivenSchedule, read_given
from tilewright.compile_warnings import warn_caller
from tilewright.ir.errors import UserError
from tilewright.ir.warnings import payload_warnings
from tilewright.known_points import RESULTS
from tilewright.planning.structure import MARGIN
from tilewright.tuning.search.strategies import DEFAULT
from tilewright.tuning.space.choices import Value

Sizes = Mapping[str, int | Sequence[int]]
"""Sizes that the payload leaves open, by name; several values are several runs."""


def tune(
    payload: GivenPayload,
    schedule: GivenSchedule = None,
    budget: str | float | None = "60s",
    *,
    sizes: Sizes | int | None = None,
    db: str | os.PathLike[str] | None = None,
    strategy: str | None = None,
    progress: bool = True,
    callbacks: Sequence[Callback] = (),
    trials: int | None = None,
    until_no_gain: int | None = None,
    point: Mapping[str, Value] | None = None,
    target: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    devices: str | None = None,
    jointly: bool = False,
    structure: bool = False,
    margin: float | None = None,
    flush_mb: float | None = None,
    warmup_ms: float | None = None,
    repetition_ms: float | None = None,
    log: str | os.PathLike[str] | None = None,
    share: str | None = None,
) -> TuneResult:
    """Choose a schedule's open choices by measuring: `tilewright tune` as a function.

    Without a schedule it plans one; without a GPU the cost model ranks the candidates,
    and `result.notes` says so. `budget` is `"60s"`, `"5m"` or a number of seconds.
    Without `budget`, `trials` and `until_no_gain` there are as many trials as the
    command has by default. `sizes` are those that the payload leaves open, `point`
    fixes choices, `db` is the results file (`results.db` in the present folder).
    `structure` leaves open which ops share a kernel, where estimates are within
    `margin`.
    `devices` are the cards of this machine to measure on, a process on each: `"all"`,
    or numbers such as `"0,2"`.
    `callbacks` are called with every trial; one that returns False ends the search. A
    mistake, or a run in which nothing works, raises `tilewright.UserError`.
    """
    started = time.perf_counter()
    given = read_given(payload, schedule)
    warn_caller(payload_warnings(given[0]))
    options = Options(
        Path(_name(payload, "payload.mlir")),
        None if schedule is None else Path(_name(schedule, "schedule.tw")),
        tuple(f"{name}={value}" for name, value in (point or {}).items()),
        strategy or DEFAULT,
        trials,
        None if budget is None else _seconds(budget),
        RESULTS if db is None else Path(db),
        target,
        seed,
        None,
        sizes=tuple(_size_texts(sizes)),
        machines=MachineOptions(jobs, devices=devices),
        jointly=jointly,
        until_no_gain=until_no_gain,
        timing=TimingArguments(flush_mb, warmup_ms, repetition_ms),
        log=None if log is None else Path(log),
        share=share,
        margin=MARGIN if structure and margin is None else margin,
        given=given,
    )
    console = output_console(stderr=True) if progress else Console(quiet=True)
    caller = Caller(console, started, "tilewright.tune(...)", callbacks)
    with in_python(), ExitStack() as stack:
        tuned = run_session(options, caller, stack)
        checks = _checks(tuned)
    return _result(tuned, options.database, checks)


def _checks(tuned: Tuned) -> list[str]:
    """How the winner was checked; on a GPU its trial has done so."""
    subject, point = tuned.subject, tuned.result.best.point
    if tuned.device.measures:
        return [f"checked against {tuned.result.reference}"]
    winner = Winner(subject.payload, subject.schedule, point, subject.cases)
    return checked_winner(winner, tuned.seconds_left)


def _result(tuned: Tuned, database: Path, checks: Sequence[str]) -> TuneResult:
    subject, result = tuned.subject, tuned.result
    milliseconds = result.best.record.milliseconds
    assert milliseconds is not None, "the best trial has a time"
    warn_caller(result.remarks)
    best = Best(
        dict(result.best.point),
        milliseconds,
        subject.schedule.with_point(result.best.point),
        subject.payload,
    )
    return TuneResult(
        best,
        TrialTable(result.trials, result.measured),
        () if tuned.by_kernel is None else tuned.by_kernel.tasks,
        tuned.seconds,
        (*_notes(tuned), *checks),
        database,
        result,
        () if tuned.by_kernel is None else tuned.by_kernel.structures,
    )


def _notes(tuned: Tuned) -> Iterator[str]:
    result = tuned.result
    if not tuned.subject.space.choices:
        yield "nothing is open: the schedule has no choices"
    if not result.measured:
        yield (
            f"no GPU was used: candidates were compiled for "
            f"{tuned.device.target.name} and ranked by the cost model"
        )
    for one in result.unchanged_choices():
        yield f"'{one.name}' {one}"
    if (line := result.payback(tuned.seconds)) is not None:
        yield line
    yield from result.warnings
    if result.stopped is not None:
        yield f"stopped: {result.stopped.fact}"


def _name(given: object, default: str) -> str:
    """The name of a file, or one for what is no file."""
    if isinstance(given, os.PathLike):
        return os.fspath(given)
    is_path = isinstance(given, str) and "\n" not in given and "{" not in given
    return str(given) if is_path else default


def _seconds(budget: str | float) -> str:
    if isinstance(budget, str):
        return budget
    if isinstance(budget, bool) or not budget > 0:
        raise UserError(
            f"a budget of {budget!r} seconds", remedy='such as 60, "60s" or "5m"'
        )
    return f"{budget:.3f}s"


def _size_texts(sizes: Sizes | int | None) -> Iterator[str]:
    """The sizes as the command takes them: `M=16,256`."""
    if isinstance(sizes, int):
        yield str(sizes)
        return
    for name, values in (sizes or {}).items():
        each = [values] if isinstance(values, int) else values
        yield f"{name}={','.join(map(str, each))}"
