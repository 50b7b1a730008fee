"""`tilewright results compare A B`: what differs between two selections of results.

Each side names runs, files, devices or dates. The best trial of A is compared with the
best trial of B for every payload that both have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tilewright.commands.results.best import Winner
from tilewright.commands.results.ratio import Ratio, ratio_of
from tilewright.commands.results.tried_runs import (
    TriedRun,
    best_data,
    milliseconds_text,
    note,
    opened_file,
    print_json,
    tried_runs,
)
from tilewright.commands.terminal.console import console
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.tuning_log import point_text
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_text
from tilewright.tuning.results.records import Setting
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.selection import (
    Subject,
    moment,
    run_name,
    schedule_name,
    split_words,
    subject_of,
)

COMPARISON_FORMAT = "tilewright-comparison-1"


@dataclass(frozen=True)
class Side:
    """One of the two selections: an open file and the runs in it."""

    title: str
    database: Database
    runs: Sequence[TriedRun]


@dataclass(frozen=True)
class Difference:
    """Something that is not the same on both sides, in words."""

    name: str
    a: str
    b: str


@dataclass(frozen=True)
class Pair:
    """The best of both sides for one payload."""

    name: str
    a: Winner
    b: Winner
    ratio: Ratio
    choices: list[Difference]
    settings: list[Difference]
    same: str
    """What the two have in common, if they are the same result or program."""


def compare(
    database: Path, first: str, second: str, words: tuple[str, ...], as_json: bool
) -> None:
    """Print the differences between two selections."""
    with ExitStack() as stack:
        a, b = (_side(stack, database, given, words) for given in (first, second))
        pairs, only_a, only_b = _pairs(a, b)
    if as_json:
        print_json(_data(a, b, pairs, only_a, only_b))
        return
    out = console()
    for pair in pairs:
        for line in _lines(pair, a.title, b.title):
            out.print(line, markup=False)
    for side, names in ((a, only_a), (b, only_b)):
        if names:
            note(f"only in {side.title}: {', '.join(names)}")


def _side(
    stack: ExitStack, database: Path, given: str, common: tuple[str, ...]
) -> Side:
    """A side: `FILE`, `FILE:words` or `words`."""
    path, words = database, split_words(given)
    file, mark, rest = given.rpartition(":")
    if Path(given).is_file():
        path, words = Path(given), []
    elif mark and Path(file).is_file():
        path, words = Path(file), split_words(rest)
    elif given.endswith((".db", ".json")):
        raise UserError(f"no such file: {given}", remedy="check its name")
    opened = stack.enter_context(opened_file(path))
    runs = tried_runs(opened, [*words, *common])
    if not any(tried.best is not None for tried in runs):
        raise UserError(
            f"no trial worked in the runs that '{given}' names",
            remedy="'tilewright results show' lists why they failed",
        )
    return Side(given, opened, runs)


_KEYS: tuple[Callable[[Subject, Run], tuple[object, ...]], ...] = (
    lambda s, run: (s, schedule_name(run.setting)),
    lambda s, run: (s,),
    lambda s, run: (s.payload, s.sizes, schedule_name(run.setting)),
    lambda s, run: (s.payload, s.sizes),
)
"""What two results must have in common, the strictest first."""


def _pairs(a: Side, b: Side) -> tuple[list[Pair], list[str], list[str]]:
    """The pairs to compare, and the names of what one side alone has."""
    for key in _KEYS:
        lefts, rights = _best_by(a, key), _best_by(b, key)
        shared = [each for each in lefts if each in rights]
        if shared:
            pairs = [_pair(a, b, lefts[each], rights[each]) for each in shared]
            return pairs, _others(lefts, rights), _others(rights, lefts)
    lefts, rights = _best_by(a, _KEYS[1]), _best_by(b, _KEYS[1])
    if len(lefts) == len(rights) == 1:
        (left,), (right,) = lefts.values(), rights.values()
        return [_pair(a, b, left, right)], [], []
    names = [
        ", ".join(str(one.subject) for one in side.values()) for side in (lefts, rights)
    ]
    raise UserError(
        f"'{a.title}' and '{b.title}' have no payload in common: {names[0]} and "
        f"{names[1]}",
        remedy="name one payload at one size on each side to compare them",
    )


def _best_by(
    side: Side, key: Callable[[Subject, Run], tuple[object, ...]]
) -> dict[tuple[object, ...], Winner]:
    found: dict[tuple[object, ...], Winner] = {}
    ranks: dict[tuple[object, ...], tuple[bool, float]] = {}
    for tried in side.runs:
        best = tried.best
        if best is None or best.record.milliseconds is None:
            continue
        subject = subject_of(tried.run)
        place = key(subject, tried.run)
        rank = (best.record.final is None, best.record.milliseconds)
        if place not in found or rank <= ranks[place]:
            found[place] = Winner(subject, tried.run, best)
            ranks[place] = rank
    return found


def _others(
    mine: dict[tuple[object, ...], Winner], theirs: dict[tuple[object, ...], Winner]
) -> list[str]:
    return [str(one.subject) for key, one in mine.items() if key not in theirs]


def _pair(a: Side, b: Side, left: Winner, right: Winner) -> Pair:
    one, two = left.trial.record, right.trial.record
    same = ""
    if one.program and one.program == two.program:
        same = "both are the same program"
        if (one.created, one.setting, one.p50) == (two.created, two.setting, two.p50):
            same = "both are the same measurement"
    elif one.closed and one.closed == two.closed:
        same = "both have the same closed schedule"
    name = str(left.subject)
    if left.subject != right.subject:
        name = f"{left.subject} and {right.subject}"
    return Pair(
        name,
        left,
        right,
        ratio_of((a.database, one), (b.database, two)),
        list(_changed_choices(left, right)),
        [*_changed_settings(left, right), *_changed_options(a, b, left, right)],
        same,
    )


def _changed_choices(a: Winner, b: Winner) -> Iterator[Difference]:
    one, two = a.trial.point, b.trial.point
    for name in dict.fromkeys([*one, *two]):
        left, right = str(one.get(name, "-")), str(two.get(name, "-"))
        if left != right:
            yield Difference(name, left, right)


def _changed_settings(a: Winner, b: Winner) -> Iterator[Difference]:
    """What the two were tuned for and with, where it differs."""
    runs = a.run, b.run

    def of(name: str, read: Callable[[Run], str]) -> Iterator[Difference]:
        left, right = map(read, runs)
        if left != right:
            yield Difference(name, left, right)

    def hashed(read: Callable[[Setting], str]) -> Callable[[Run], str]:
        return lambda run: read(run.setting)

    yield from of("payload", lambda run: subject_of(run).payload)
    yield from of("sizes", lambda run: subject_of(run).sizes)
    if a.subject.payload == b.subject.payload and a.subject.sizes == b.subject.sizes:
        yield from of("text of the payload", hashed(lambda s: s.payload[:8]))
    yield from of("schedule", hashed(schedule_name))
    yield from of("device", hashed(lambda s: s.device))
    yield from of("torch", hashed(lambda s: s.versions.torch))
    yield from of("triton", hashed(lambda s: s.versions.triton))
    yield from of("tilewright", hashed(lambda s: s.versions.tilewright))
    yield from of("compiler's sources", hashed(lambda s: s.versions.sources[:8]))
    yield from of("strategy", lambda run: run.strategy or "-")
    yield from of("seed", lambda run: str(run.seed))
    yield from of(
        "seconds",
        lambda run: "-" if run.wall_seconds is None else f"{run.wall_seconds:.1f}",
    )
    days = [moment(one.trial.record.created) for one in (a, b)]
    if days[0] != days[1]:
        yield Difference("tuned", *days)


def _changed_options(
    a: Side, b: Side, left: Winner, right: Winner
) -> Iterator[Difference]:
    """Choices whose options differ between two versions of a schedule."""
    keys = left.run.setting.schedule, right.run.setting.schedule
    if keys[0] == keys[1]:
        return
    options: list[dict[str, str]] = []
    for side, key in zip((a, b), keys, strict=True):
        text = read_text(side.database, key)
        if text is None:
            return
        schedule = Schedule.from_text(text, "schedule.mlir")
        options.append(
            {
                choice.name: ", ".join(map(str, choice.options))
                for choice in schedule.open_choices()
            }
        )
    if options[0] == options[1]:
        yield Difference("text of the schedule", keys[0][:8], keys[1][:8])
    for name in dict.fromkeys([*options[0], *options[1]]):
        one, two = (each.get(name, "-") for each in options)
        if one != two:
            yield Difference(f"options of {name}", one, two)


def _lines(pair: Pair, a: str, b: str) -> Iterator[str]:
    yield pair.name
    for title, side in ((f"A, {a}", pair.a), (f"B, {b}", pair.b)):
        ms = milliseconds_text(side.trial.record.milliseconds, side.run.measured)
        yield f"  {title}: {ms}, {run_name(side.run)}"
    yield f"  {pair.ratio.words()}"
    if pair.same:
        yield f"  {pair.same}"
    if not pair.choices:
        yield f"  the same choices: {point_text(pair.a.trial.point)}"
    for kind, found in (("choice", pair.choices), ("", pair.settings)):
        for each in found:
            yield f"  {kind} {each.name}: {each.a} -> {each.b}".replace("   ", "  ")


def _data(
    a: Side, b: Side, pairs: Sequence[Pair], only_a: list[str], only_b: list[str]
) -> dict[str, Any]:
    def side(winner: Winner) -> dict[str, Any]:
        return {
            "name": run_name(winner.run),
            "run": winner.run.number,
            **asdict(winner.subject),
            "schedule": schedule_name(winner.run.setting),
            **best_data(winner.trial),
        }

    return {
        "format": COMPARISON_FORMAT,
        "a": a.title,
        "b": b.title,
        "pairs": [
            {
                "a": side(pair.a),
                "b": side(pair.b),
                "ratio": pair.ratio.ratio,
                "interval": list(pair.ratio.interval) if pair.ratio.interval else None,
                "verdict": pair.ratio.verdict,
                "same": pair.same,
                "choices": [asdict(each) for each in pair.choices],
                "settings": [asdict(each) for each in pair.settings],
            }
            for pair in pairs
        ],
        "only_a": only_a,
        "only_b": only_b,
    }
