"""Shrink a finding to the fewest lines that show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Finding
from fuzz.schedules.session import Line, Session, schedule_text

Look = Callable[[Session], None]
"""A check of the end of a program; raises `Finding`."""


@dataclass(frozen=True)
class Reproducer:
    """A finding, and the payload and the lines that show it."""

    finding: Finding
    case: Case
    lines: tuple[Line, ...]
    seed: int

    def report(self) -> str:
        """A text with everything that is needed to reproduce the finding."""
        shapes = [list(map(list, shapes)) for shapes in self.case.questions]
        return (
            f"=== finding: {self.finding} in a payload of kind '{self.case.name}', "
            f"seed {self.seed}\n"
            f"--- arguments: {shapes}\n"
            f"--- payload.mlir\n{self.case.text}"
            f"--- schedule.mlir\n{schedule_text(self.lines)}"
            f"--- detail\n{self.finding.detail[-6000:]}\n==="
        )


def nothing_else(session: Session) -> None:
    """A check that accepts every program."""


def replay(
    case: Case, lines: Sequence[Line], look: Look = nothing_else
) -> Finding | None:
    """Run lines again, except lines whose handles do not exist."""
    try:
        session = Session(case)
        for line in lines:
            if not session.is_over and all(name in session.types for name in line.uses):
                session.do(line)
        look(session)
    except Finding as finding:
        return finding
    return None


def shrunk(given: Reproducer, look: Look = nothing_else) -> Reproducer:
    """The same finding with fewer lines: leave out one line after the other."""
    best = given
    for line in reversed(given.lines):
        fewer = tuple(other for other in best.lines if other is not line)
        again = replay(best.case, fewer, look)
        if again is not None and again.key == given.finding.key:
            best = Reproducer(again, best.case, usable(fewer), best.seed)
    return best


def usable(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines whose handles are made by earlier lines."""
    known = {"%root"}
    kept: list[Line] = []
    for line in lines:
        if known.issuperset(line.uses):
            kept.append(line)
            known.update(line.makes)
    return tuple(kept)


def keep(found: Reproducer, folder: Path | None) -> None:
    """Print a finding, and write it to a folder of its own."""
    print(found.report(), flush=True)
    if folder is None:
        return
    words = f"{found.seed}-{found.finding.kind}-{found.finding.verb}"
    place = folder / re.sub(r"[^\w.]+", "-", words)
    place.mkdir(parents=True, exist_ok=True)
    (place / "payload.mlir").write_text(found.case.text)
    (place / "schedule.mlir").write_text(schedule_text(found.lines))
    (place / "report.txt").write_text(found.report())
