"""Checking the winner of a search in an interpreter, after its file is written.

A large payload takes minutes at its own sizes. Under a budget the winner runs at
smaller sizes first, which is waited for, and at its own sizes if there is time left.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.interpreter_check import reduced
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
"""Less time is not worth a check at the payload's own sizes."""
_SMALL_SECONDS = 60.0
"""What a check at smaller sizes may take, also past the end of the budget: otherwise
nobody would know whether the numbers are right."""
_LONGEST_SECONDS = 24 * 3600.0
_KEPT_SHARE = 0.25
_KEPT_SECONDS = 15.0


def kept_for_check(budget: float) -> float:
    """Seconds of a budget that the search leaves for the check of the winner."""
    return min(_KEPT_SHARE * budget, _KEPT_SECONDS)


@dataclass(frozen=True)
class Winner:
    """The best point, and the cases to check it on."""

    payload: ModuleOp
    schedule: Schedule
    point: Point
    cases: Sequence[SizedCase]
    name: str = "the winner"
    """How messages call it."""

    @property
    def is_checked(self) -> bool:
        """Whether every candidate was checked while it was tried."""
        return bool(self.cases) and all(one.is_quick for one in self.cases)

    def smaller(self) -> Winner | None:
        """The winner at sizes that take seconds; None where its own may, or must, run.

        Open sizes are the user's to choose.
        """
        if len(self.cases) != 1 or self.is_checked or self.cases[0].small is not None:
            return None
        small = reduced(self.payload, "small")
        if small is None:
            return None
        return replace(self, cases=[replace(self.cases[0], small=small)])

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
    """Run the winner in an interpreter, for at most `seconds`, and say the outcome.

    After an interrupt or a timeout the winner stays in its file, unchecked; one that is
    wrong is renamed.
    """
    try:
        with console.status("running the winner in an interpreter"):
            lines = checked_winner(winner, seconds)
    except KeyboardInterrupt as interrupt:
        told = f"interrupted: the winner is in {path}, not checked"
        tell_interrupt(interrupt, told)
        raise
    except WrongWinnerError as error:
        wrong = path.with_suffix(".wrong")
        path.replace(wrong)
        error.remedy = f"it is kept as {wrong}; please report it"
        raise
    except UserError as error:
        error.remedy = f"it is in {path}; check it with 'tilewright run'"
        raise
    for line in lines:
        console.print(line, markup=False)


class WrongWinnerError(UserError):
    """The winner computes wrong numbers."""


def checked_winner(winner: Winner, seconds: float | None) -> list[str]:
    """Run the winner in an interpreter, for at most `seconds`: the outcome, in words.

    Smaller sizes come first, and get a minute if `seconds` are fewer. Raises
    `WrongWinnerError` if its numbers are wrong.
    """
    if seconds is None:
        return _checked(winner, _LONGEST_SECONDS)
    if any(one.small is not None for one in winner.cases):
        return _checked(winner, max(seconds, _SMALL_SECONDS))
    small, started = winner.smaller(), time.monotonic()
    if small is None:
        return _checked(winner, max(seconds, _LEAST_SECONDS))
    try:
        lines = _checked(small, max(seconds, _SMALL_SECONDS))
    except WrongWinnerError:
        raise
    except UserError:  # The schedule does not apply at smaller sizes.
        lines = []
    left = seconds - (time.monotonic() - started)
    if lines and left < _LEAST_SECONDS:
        return lines
    return [*lines, *_checked(winner, max(left, _LEAST_SECONDS), " at its own sizes")]


def _checked(winner: Winner, limit: float, where: str = "") -> list[str]:
    """The outcome of one run, in words; `where` says at which sizes."""
    done = _run(winner, limit)
    if done.ending in ("error", "crash"):
        # Somebody may have killed a process; nobody kills it twice.
        done = _run(winner, limit)
    if done.ending == "timeout":
        before = "the kernel-level interpreter has checked it; " * winner.is_checked
        return [
            f"note: there was no time to run {winner.name}{where} in an interpreter; "
            f"{before}check it with 'tilewright run'"
        ]
    if done.ending != "ok":
        raise UserError(f"{winner.name} could not be checked: {done.error}")
    comparisons, how = done.value
    for at, comparison in comparisons:
        if not comparison.ok:
            raise WrongWinnerError(
                f"{winner.name} is wrong{at} in {how}: {comparison.message}",
                remedy="please report it",
            )
    return [
        f"{winner.name} is correct{at} in {how}: {comparison.message}"
        for at, comparison in comparisons
    ]


def _run(winner: Winner, limit: float) -> Finished:
    with (
        scratch_folder(),
        ProcessPool(1, "", limit=limit, fork=partial(_set_winner, winner)) as pool,
    ):
        pool.submit(_Check())
        while True:
            for done in wait([pool], 1.0):
                return done
