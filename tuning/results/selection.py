"""Naming runs by words: the payload, its sizes, the schedule, the device, the date.

    gemm                 the payload gemm.mlir; else the schedule gemm.tw
    gemm 4096x4096x*     ... at these sizes
    h200 2026-11-16      on an H200, that day
    triton=3.6           with this version of Triton
    #12                  the run with this number
    latest               the newest of those that the other words name

A word names the beginning of a name, or of a word in it, or is a pattern with `*` and
`?`. Upper and lower case are the same. A run is named if every word names it. A word
that names payloads does not name schedules too: the fields are tried in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tilewright.ir.errors import Note, UserError
from tilewright.tuning.results.records import Setting, sizes_text
from tilewright.tuning.results.runs import Run

LATEST = "latest"

_FIELDS: dict[str, Callable[[Run], str]] = {
    "payload": lambda run: payload_name(run.setting),
    "sizes": lambda run: sizes_name(run.setting),
    "schedule": lambda run: schedule_name(run.setting),
    "device": lambda run: run.setting.device,
    "date": lambda run: run.started,
    "torch": lambda run: run.setting.versions.torch,
    "triton": lambda run: run.setting.versions.triton,
    "tilewright": lambda run: run.setting.versions.tilewright,
    "strategy": lambda run: run.strategy,
    "seed": lambda run: str(run.seed),
}
"""What `name=word` may name."""


_PLAIN = ("payload", "sizes", "device", "schedule", "date")
"""The fields that a word without a name is looked for in, in this order."""


@dataclass(frozen=True)
class Subject:
    """What results are compared within: a payload at its sizes on a device."""

    payload: str
    sizes: str
    device: str
    measured: bool

    def __str__(self) -> str:
        """`gemm.mlir 4096x4096x4096 on NVIDIA H200`."""
        sizes = f" {self.sizes}" if self.sizes else ""
        return f"{self.payload}{sizes} on {self.device}"


def subject_of(run: Run) -> Subject:
    """The payload, sizes and device of a run."""
    setting = run.setting
    return Subject(
        payload_name(setting), sizes_name(setting), setting.device, run.measured
    )


def run_name(run: Run) -> str:
    """`gemm.mlir 4096x4096x4096 gemm.tw on NVIDIA H200, 2026-11-16 08:30`."""
    setting = run.setting
    words = [payload_name(setting), sizes_name(setting), schedule_name(setting)]
    named = " ".join(word for word in words if word)
    when = f", {moment(run.started)}" if run.started else ""
    return f"{named} on {setting.device}{when}"


def payload_name(setting: Setting) -> str:
    """The payload's file; the beginning of its hash where nobody named it."""
    return setting.payload_name or setting.payload[:8]


def schedule_name(setting: Setting) -> str:
    """The schedule's file; the beginning of its hash where nobody named it."""
    return setting.schedule_name or setting.schedule[:8]


def sizes_name(setting: Setting) -> str:
    """The sizes that are tuned: `M=16; M=256` for open ones, else `4096x4096x512`."""
    if setting.sizes:
        return setting.sizes
    return "; ".join(sizes_text(each) for each in setting.extents)


def moment(time: str) -> str:
    """`2026-11-16 08:30` of an ISO time."""
    return time[:16].replace("T", " ")


def select_runs(runs: Sequence[Run], words: Iterable[str]) -> list[Run]:
    """The runs that all words name; raises where a word names none."""
    chosen = list(runs)
    given = list(words)
    for word in given:
        if word == LATEST:
            continue
        matching = _named(word, chosen)
        if not matching:
            raise _no_such_run(word, chosen, given, runs)
        chosen = matching
    if LATEST in given and chosen:
        chosen = [max(chosen, key=lambda run: (run.started, run.number))]
    return chosen


def select_one(runs: Sequence[Run], words: Iterable[str]) -> tuple[Run, int]:
    """The run that the words name, and how many older ones are named alike.

    Of several runs over the same payload with the same schedule on the same device, it
    is the latest. Different ones are an error that says how to tell them apart.
    """
    given = list(words)
    chosen = select_runs(runs, given)
    if not chosen:
        raise UserError(
            "there are no runs", remedy="'tilewright tune' makes one: see its --help"
        )
    names = {(subject_of(run), schedule_name(run.setting)): None for run in chosen}
    if len(names) > 1:
        shown = chosen[-8:]
        notes = [Note(f"#{run.number} {run_name(run)}") for run in shown]
        if len(chosen) > len(shown):
            notes.insert(0, Note(f"{len(chosen) - len(shown)} older runs"))
        named = f"named by '{' '.join(given)}'" if given else "there"
        raise UserError(
            f"{len(chosen)} runs are {named}, and one is wanted",
            remedy="add a word of the payload, its sizes, the schedule, the device or "
            "the date; or '#' and a number; or 'latest'",
            notes=notes,
        )
    latest = max(chosen, key=lambda run: (run.started, run.number))
    return latest, len(chosen) - 1


def split_words(text: str) -> list[str]:
    """The words of one argument: `gemm/h200` or `gemm h200`."""
    return [word for word in re.split(r"[\s/,]+", text) if word]


def _named(word: str, runs: Sequence[Run]) -> list[Run]:
    """The runs that a word names, by the first field in which it names any."""
    if re.fullmatch(r"#\d+", word):
        number = int(word[1:])
        return [run for run in runs if run.is_recorded and run.number == number]
    field, mark, value = word.partition("=")
    if mark and field.lower() in _FIELDS:
        read = _FIELDS[field.lower()]
        return [run for run in runs if _matches(value, read(run))]
    for name in _PLAIN:
        found = [run for run in runs if _matches(word, _FIELDS[name](run))]
        if found:
            return found
    return []


def _matches(word: str, name: str) -> bool:
    """Whether a word is a pattern of a name, or the beginning of a word in it."""
    wanted, text = word.lower(), name.lower()
    parts = [text, *re.split(r"[\s;,()]+", text)]
    if any(mark in wanted for mark in "*?"):
        return any(fnmatchcase(part, wanted) for part in parts if part)
    return any(part.startswith(wanted) for part in parts if part)


def _no_such_run(
    word: str, left: Sequence[Run], given: Sequence[str], runs: Sequence[Run]
) -> UserError:
    if not runs:
        return UserError("there are no runs", remedy="'tilewright tune' makes one")
    if re.fullmatch(r"#\d+", word):
        numbers = ", ".join(f"#{run.number}" for run in left if run.is_recorded)
        return UserError(f"no run has the number {word}", remedy=f"known: {numbers}")
    field = word.partition("=")[0].lower()
    names = (field,) if field in _FIELDS and "=" in word else _PLAIN[:-1]
    known = dict.fromkeys(
        value for run in left for name in names if (value := _FIELDS[name](run))
    )
    others = [other for other in given if other != word]
    among = f" among those of '{' '.join(others)}'" if others else ""
    shown = ", ".join(list(known)[:12]) + (", ..." if len(known) > 12 else "")
    return UserError(f"no run{among} is named by '{word}'", remedy=f"known: {shown}")
