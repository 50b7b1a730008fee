"""Checking the winner of a search in an interpreter, after its file is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.terminal.failure import tell_interrupt
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import Comparison
from tilewright.numeric_check import check_without_gpu
from tilewright.pipeline import Point, build, sizes_of
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.workers.pools import Finished, wait
from tilewright.tuning.workers.scratch import scratch_folder
from tilewright.tuning.workers.worker_pool import ProcessPool

_LEAST_SECONDS = 1.0
_LONGEST_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Winner:
    """The best point, and the cases to check it on."""

    payload: ModuleOp
    schedule: Schedule
    point: Point
    cases: Sequence[SizedCase]
    name: str = "the winner"
    """How messages call it."""

    def check(self) -> tuple[list[tuple[str, Comparison]], str]:
        """Check it at every size it takes: the comparisons, and the interpreter."""
        small = next((one.small for one in self.cases if one.small is not None), None)
        built = build(small or self.payload, self.schedule, self.point)
        taken = [one for one in self.cases if one.fits(built)]
        found, how = check_without_gpu(built, [one.case for one in taken])
        titles = [f" at {one.title}" if one.title else "" for one in taken]
        if small is not None:
            titles = [f" at smaller sizes ({sizes_of(small)})"]
        return list(zip(titles, found, strict=True)), how


_winner: Winner | None = None
"""The winner to check; set in the worker."""


def _set_winner(winner: Winner) -> None:
    global _winner
    _winner = winner


@dataclass(frozen=True)
class _Check:
    """The job; the winner itself is in the worker, which is a fork."""

    def run(self) -> tuple[list[tuple[str, Comparison]], str]:
        assert _winner is not None
        return _winner.check()


def check_winner(
    winner: Winner, path: Path, console: Console, seconds: float | None
) -> None:
    """Run the winner in an interpreter, for at most `seconds`.

    After an interrupt or a timeout the winner stays in its file, unchecked.
    """
    limit = _LONGEST_SECONDS if seconds is None else max(seconds, _LEAST_SECONDS)
    try:
        with console.status("running the winner in an interpreter"):
            done = _run(winner, limit)
            if done.ending in ("error", "crash"):
                # Somebody may have killed a process; nobody kills it twice.
                done = _run(winner, limit)
    except KeyboardInterrupt as interrupt:
        told = f"interrupted: the winner is in {path}, not checked"
        tell_interrupt(interrupt, told)
        raise
    if done.ending == "timeout":
        console.print(
            f"note: there was no time to run {winner.name} in an interpreter; check it "
            "with 'tilewright run'",
            style="yellow",
        )
        return
    if done.ending != "ok":
        raise UserError(
            f"the winner could not be checked: {done.error}",
            remedy=f"it is in {path}; check it with 'tilewright run'",
        )
    comparisons, how = done.value
    for where, comparison in comparisons:
        if not comparison.ok:
            wrong = path.with_suffix(".wrong")
            path.replace(wrong)
            raise UserError(
                f"{winner.name} is wrong{where} in {how}: {comparison.message}",
                remedy=f"it is kept as {wrong}; please report it",
            )
        console.print(f"{winner.name} is correct{where} in {how}: {comparison.message}")


def _run(winner: Winner, limit: float) -> Finished:
    with (
        scratch_folder(),
        ProcessPool(1, "", limit=limit, fork=partial(_set_winner, winner)) as pool,
    ):
        pool.submit(_Check())
        while True:
            for done in wait([pool], 1.0):
                return done
