"""Failed trials, grouped by the line of the schedule and by the reason.

A record has the whole error text: place, fact, remedy, then notes with further places.
Numbers in a fact differ from point to point (`needs 245760 bytes of shared memory`), so
facts that differ only in numbers are one reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.tuning.explaining.tuning_log import LoggedTrial
    from tilewright.tuning.space.choices import Point

_PLACED = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: (?P<kind>error|note): (?P<fact>.*)$",
    re.MULTILINE,
)
_OP = re.compile(r"^(?P<op>'?[A-Za-z_][\w.]*'?): (?P<fact>.*)$", re.DOTALL)
_NUMBER = re.compile(r"(?<![A-Za-z_])\d+(?:\.\d+)?")

_STAGES = {
    "invalid": "transform",
    "compile_error": "compile",
    "wrong": "check",
    "timeout": "run",
    "crash": "run",
}
"""Where a trial of an outcome ended, if its seconds do not tell."""

_REMEDIES: Sequence[tuple[str, str]] = (
    (
        "bytes of shared memory",
        "`require` that stages times the bytes of the tiles fit, or drop the option",
    ),
    ("spills", "smaller tiles, or more warps for the large ones"),
    ("no tensor descriptors", "take the branch without descriptors on this card"),
    ("not done after", "the candidate is far too slow, or the machine was busy"),
    ("worker was killed", "the machine ran out of memory, or someone ended the worker"),
    ("No space left", "make room on the disk; the next run tries the points again"),
    ("illegal memory access", "a bug: report the point and the schedule"),
)
"""What to do about errors that bring no remedy of their own, by a part of the text."""
_REMEDY_OF_WRONG = (
    "a bug, or rounding that the schedule asks for: `tilewright check PAYLOAD -s "
    "SCHEDULE --set ...` at this point"
)


@dataclass(frozen=True)
class FailureGroup:
    """Trials that failed for one reason."""

    count: int
    share: float
    """Of all trials."""
    outcome: str
    stage: str
    """Where they ended: transform, emit, compile, check, time or run."""
    op: str
    """The transform op or the kernel; empty where the error names none."""
    place: str
    """`linear.tw:14`, the line of the schedule; empty where the error has none."""
    reason: str
    """Of the first of them; others may have other numbers."""
    remedy: str
    """Empty where none is known."""
    example: Point
    options: tuple[tuple[str, str], ...]
    """Choices that all of them made alike and other trials did not: name, value."""
    by_environment: bool
    """Whether something outside the candidates was the cause."""


@dataclass(frozen=True)
class _Reason:
    outcome: str
    op: str
    place: str
    text: str
    remedy: str
    by_environment: bool

    @property
    def key(self) -> tuple[str, ...]:
        return (self.outcome, self.op, self.place, _NUMBER.sub("#", self.text))


def group_failures(trials: Sequence[LoggedTrial]) -> tuple[FailureGroup, ...]:
    """The reasons why trials failed, the most frequent first."""
    return tuple(group for group, _ in failures_with_members(trials))


def failures_with_members(
    trials: Sequence[LoggedTrial],
) -> list[tuple[FailureGroup, list[int]]]:
    """The same, each with the positions of its trials in `trials`."""
    found: dict[tuple[str, ...], list[tuple[_Reason, int]]] = {}
    for position, trial in enumerate(trials):
        if trial.milliseconds is None:
            reason = _reason(trial)
            found.setdefault(reason.key, []).append((reason, position))
    groups = [
        (
            _group(
                [(reason, trials[position]) for reason, position in entries], trials
            ),
            [position for _, position in entries],
        )
        for entries in found.values()
    ]
    return sorted(groups, key=lambda entry: -entry[0].count)


def _group(
    entries: Sequence[tuple[_Reason, LoggedTrial]], trials: Sequence[LoggedTrial]
) -> FailureGroup:
    reason, first = entries[0]
    failed = [trial for _, trial in entries]
    return FailureGroup(
        len(entries),
        len(entries) / len(trials),
        reason.outcome,
        Counter(map(_stage, failed)).most_common(1)[0][0],
        reason.op,
        reason.place,
        reason.text,
        reason.remedy,
        first.point,
        _in_common(failed, trials),
        reason.by_environment,
    )


def _reason(trial: LoggedTrial) -> _Reason:
    text = trial.error.strip()
    placed = list(_PLACED.finditer(text))
    first = placed[0] if placed and placed[0].start() == 0 else None
    fact = first["fact"] if first is not None else text.split("\n", 1)[0]
    op = ""
    if (named := _OP.match(fact)) is not None:
        op, fact = named["op"].strip("'"), named["fact"]
    fact, _, remedy = fact.partition("; ")
    if not fact:
        fact = "no reason was recorded"
    return _Reason(
        trial.outcome,
        op,
        _place(placed),
        fact[:400],
        remedy or _known_remedy(trial),
        trial.cause == "environment",
    )


def _place(placed: Sequence[re.Match[str]]) -> str:
    """The line of the schedule: of the error, else of a note, else any line."""
    schedules = [one for one in placed if one["file"].endswith(".tw")]
    return next((f"{one['file']}:{one['line']}" for one in (*schedules, *placed)), "")


def _known_remedy(trial: LoggedTrial) -> str:
    for part, remedy in _REMEDIES:
        if part in trial.error:
            return remedy
    return _REMEDY_OF_WRONG if trial.outcome == "wrong" else ""


def _stage(trial: LoggedTrial) -> str:
    """The stage that a trial ended in: the last that took time."""
    if trial.outcome in ("wrong", "invalid", "compile_error"):
        return _STAGES[trial.outcome]
    spent = [stage for stage in trial.seconds if trial.seconds[stage] > 0]
    return spent[-1] if spent else _STAGES.get(trial.outcome, "emit")


def _in_common(
    failed: Iterable[LoggedTrial], trials: Iterable[LoggedTrial]
) -> tuple[tuple[str, str], ...]:
    """Values that all failed trials share, and that not all trials have."""
    shared = set.intersection(*(set(_texts(trial)) for trial in failed))
    everywhere = set.intersection(*(set(_texts(trial)) for trial in trials))
    order = list(_texts(next(iter(failed))))
    return tuple(sorted(shared - everywhere, key=order.index))


def _texts(trial: LoggedTrial) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in trial.point.items()]
