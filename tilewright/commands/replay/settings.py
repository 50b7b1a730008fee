"""The lists of `tilewright replay`: which settings are compared, and which rules."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.commands.terminal.failure import UsageError
from tilewright.tuning.replay.comparison import Setting
from tilewright.tuning.replay.measuring import Measuring
from tilewright.tuning.replay.trace import Stop

T = TypeVar("T", int, float)

TRIALS = "15,30,100"


@dataclass(frozen=True)
class Lists:
    """The values of the options that take several, as they are written."""

    trials: str | None = None
    seconds: str | None = None
    until_no_gain: str | None = None
    compilers: str = "14"
    repetition_ms: str = "recorded"
    slower: str = "never"


def stops(lists: Lists) -> list[Stop]:
    """The rules that end a search."""
    trials = lists.trials
    if trials is None and lists.seconds is None and lists.until_no_gain is None:
        trials = TRIALS
    return [
        *(Stop(trials=n) for n in _numbers("--trials", trials, int)),
        *(Stop(seconds=s) for s in _numbers("--seconds", lists.seconds, float)),
        *(
            Stop(until_no_gain=n)
            for n in _numbers("--until-no-gain", lists.until_no_gain, int)
        ),
    ]


def settings(strategies: Sequence[str], lists: Lists) -> list[Setting]:
    """Every combination of strategies, compilers and ways of measuring."""
    compilers = _numbers("--compilers", lists.compilers, int)
    times = _words("--repetition-ms", lists.repetition_ms, "recorded")
    factors = _words("--slower", lists.slower, "never")
    if any(factors) and not all(times):
        raise UsageError(
            "--slower needs a repetition time",
            remedy="such as --repetition-ms 25 --slower never,1.3",
        )
    found: list[Setting] = []
    combinations = itertools.product(strategies, compilers, times, factors)
    for text, count, milliseconds, factor in combinations:
        name, options = parse_strategy(text)
        measuring = Measuring(milliseconds, slower=factor)
        found.append(Setting(name, options, count, measuring))
    return found


def _words(option: str, text: str, none: str) -> list[float | None]:
    """Numbers, or the word that means none."""
    return [
        None if word.strip() == none else _number(option, word, float)
        for word in text.split(",")
    ]


def _numbers(option: str, text: str | None, kind: Callable[[str], T]) -> list[T]:
    return [] if text is None else [_number(option, t, kind) for t in text.split(",")]


def _number(option: str, text: str, kind: Callable[[str], T]) -> T:
    try:
        value = kind(text)
    except ValueError:
        value = kind("0")
    if not value > 0:
        raise UsageError(
            f"{option}: '{text.strip()}' is not a positive number",
            remedy="separate several values by commas",
        )
    return value
