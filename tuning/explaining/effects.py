"""What each choice and each pair of choices earned, with intervals.

Searches look at good regions more often, so the mean time of an option over the trials
says little: good points are good in their other choices too. Instead, a model of the
log time (`time_model`) is averaged over valid points, each counted once. The average is
taken apart into a part for each choice and one for each pair of them (a functional
analysis of variance). The parts of single choices are fitted together, by least
squares: constraints forbid combinations, so choices are not independent.

- The *effect* of an option is how much slower it is than the best option of its choice,
  the others equal.
- The *share* of a choice, or of a pair, is the variance of its part over the variance
  of the whole.
- Intervals are of 95%, from other models that the trials allow too.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.explaining.time_model import Numbers, TimeModel
from tilewright.tuning.search.encoding import Codes, Encoding, ranked_options
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
    from tilewright.tuning.space.choices import Choice, Point, Value

LEAST_TRIALS = 8
"""Trials with a time, of different programs, that a model needs at least."""
LEAST_HELD_OUT = 0.1
"""A model that predicts a smaller share of unseen trials tells nothing."""
MOST_TRIALS = 600
"""Of more trials, so many are drawn at random."""
_MOST_POINTS = 1000
"""Valid points that effects are averaged over."""
_MOST_OPTIONS = 40
"""A choice with more options is not part of the model."""
_LARGEST = 30.0
"""The largest difference of log times: beyond, a ratio says nothing."""


@dataclass(frozen=True)
class Interval:
    """An estimate and its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class OptionEffect:
    """An option of a choice, beside the best one."""

    value: Value
    slowdown: Interval
    """The time over that with the best option, less 1; 0 for the best itself."""


@dataclass(frozen=True)
class ChoiceEffect:
    """What a choice decides on its own."""

    name: str
    share: Interval
    """Of the variance of the log time."""
    options: tuple[OptionEffect, ...]
    """In the order of the schedule; those that never worked are left out."""

    @property
    def best(self) -> OptionEffect:
        """The fastest option, the others equal."""
        return min(self.options, key=lambda option: option.slowdown.value)

    @property
    def range(self) -> float:
        """How much slower the worst option is than the best."""
        return max(option.slowdown.value for option in self.options)


@dataclass(frozen=True)
class CellEffect:
    """Two options together."""

    first: Value
    second: Value
    slowdown: Interval
    """The time over what the two choices alone make of it, less 1."""


@dataclass(frozen=True)
class PairEffect:
    """What two choices decide together, beyond what each does on its own."""

    first: str
    second: str
    share: Interval
    cells: tuple[CellEffect, ...]
    """Every combination that occurs, the slowest first."""


@dataclass(frozen=True)
class Effects:
    """The effects of all choices, the largest shares first."""

    choices: tuple[ChoiceEffect, ...]
    pairs: tuple[PairEffect, ...]
    held_out_share: float
    """The share of the variation between unseen programs that the model predicts."""
    trials: int
    """Trials that the model was fitted to."""
    points: int
    """Points that effects are averaged over."""
    whole_space: bool
    """Whether these are valid points of the space; else crossings of the trials."""


@dataclass(frozen=True)
class NoEffects:
    """Why there are no effects, in words."""

    reason: str


def find_effects(log: TuningLog, seed: int = 0) -> Effects | NoEffects:
    """The effects of the choices on the time."""
    from threadpoolctl import threadpool_limits

    # The matrices are small: more threads would wait for each other.
    with threadpool_limits(1):
        return _find_effects(log, seed)


def _find_effects(log: TuningLog, seed: int) -> Effects | NoEffects:
    trials = _drawn(log.worked, seed)
    programs = {_group(trial) for trial in trials}
    if not log.space.choices:
        return NoEffects("the schedule has no open choices")
    if len(programs) < LEAST_TRIALS:
        return NoEffects(
            f"{len(programs)} programs have a time; a model needs {LEAST_TRIALS}"
        )
    encoding = Encoding(log.space)
    codes = encoding.codes([trial.point for trial in trials])
    varied = [
        place
        for place, column in enumerate(codes.T)
        if 1 < len(np.unique(column[column >= 0])) <= _MOST_OPTIONS
    ]
    if not varied:
        return NoEffects("no choice was tried with two options that work")
    log_times = np.log([trial.milliseconds or math.nan for trial in trials])
    if np.ptp(log_times) == 0.0:
        return NoEffects("all trials take the same time")
    codes, choices = codes[:, varied], [encoding.choices[place] for place in varied]
    model = TimeModel(codes, log_times, [_group(trial) for trial in trials])
    held_out = model.held_out_share()
    if held_out is None or held_out < LEAST_HELD_OUT:
        known = "" if held_out is None else f"only {max(0.0, held_out):.0%} of "
        return NoEffects(
            f"the model predicts {known or 'nothing of '}the variation between "
            "trials that it has not seen: too few trials, or noise"
        )
    points = _valid_points(log, encoding, trials, seed)
    at = encoding.codes(points)[:, varied]
    values = np.vstack([model.predict(at), model.draws(at, 400, seed)])
    parts = _Parts(at, choices, values)
    mains = [_choice_effect(parts, place) for place in range(len(choices))]
    pairs = [
        _pair_effect(parts, i, j)
        for i, j in model.design.pairs
        if parts.occur_together(i, j)
    ]
    return Effects(
        tuple(sorted(mains, key=lambda effect: -effect.share.value)),
        tuple(sorted(pairs, key=lambda effect: -effect.share.value)),
        held_out,
        len(trials),
        len(points),
        log.known_space is not None,
    )


def _drawn(trials: Sequence[LoggedTrial], seed: int) -> list[LoggedTrial]:
    """The last trial of every point; at most `MOST_TRIALS` of them."""
    different = list({canonical(trial.point): trial for trial in trials}.values())
    if len(different) <= MOST_TRIALS:
        return different
    return random.Random(seed).sample(different, MOST_TRIALS)


def _group(trial: LoggedTrial) -> str:
    return trial.program or canonical(trial.point)


def _valid_points(
    log: TuningLog, encoding: Encoding, trials: Sequence[LoggedTrial], seed: int
) -> list[Point]:
    """Points to average over: valid ones whose options all worked in some trial.

    Without the space, these are crossings of the points that worked.
    """
    tried = [trial.point for trial in trials]
    space = log.known_space
    if space is None:
        return _crossings(tried, seed)
    codes = encoding.codes(tried)
    working = [set(column.tolist()) for column in codes.T]
    failed = {canonical(trial.point) for trial in log.failed}
    if space.is_exact() and space.count_valid() <= _MOST_POINTS:
        drawn = list(space.points())
    else:
        rng = random.Random(seed)
        drawn = [space.sample(rng) for _ in range(_MOST_POINTS)]
    kept = [
        point
        for point, row in zip(drawn, encoding.codes(drawn).tolist(), strict=True)
        if canonical(point) not in failed
        and all(code in known for code, known in zip(row, working, strict=True))
    ]
    return kept if len(kept) >= len(tried) // 2 else tried


def _crossings(points: Sequence[Point], seed: int) -> list[Point]:
    """Points that take each choice from one of two points with the same choices."""
    rng = random.Random(seed)
    alike: dict[frozenset[str], list[Point]] = {}
    for point in points:
        alike.setdefault(frozenset(point), []).append(point)
    found: dict[str, Point] = {canonical(point): point for point in points}
    for _ in range(_MOST_POINTS):
        first = rng.choice(points)
        second = rng.choice(alike[frozenset(first)])
        child = {name: rng.choice((first, second))[name] for name in first}
        found.setdefault(canonical(child), child)
    return list(found.values())


class _Parts:
    """Functions on points, taken apart into parts of one choice and of two.

    `values` has a row for each function; the first is the estimate, the others tell
    how uncertain it is.
    """

    def __init__(
        self, codes: Codes, choices: Sequence[Choice], values: Numbers
    ) -> None:
        self.choices = choices
        self._codes = codes
        self._variance = values.var(axis=1)
        blocks: list[Numbers] = []
        self.known: list[list[int]] = []
        """The codes of each choice that occur."""
        for column in codes.T:
            open_ = column >= 0
            known = np.unique(column[open_])
            self.known.append(known.tolist())
            indicator = (column[:, None] == known).astype(np.float64)
            # The part of a choice that a branch opens is 0 outside the branch: the
            # mean difference between branches is the part of their `choose`.
            means = indicator[open_].mean(axis=0)
            blocks.append((indicator - means) * open_[:, None])
        ends = list(itertools.accumulate(block.shape[1] for block in blocks))
        self._blocks = [
            (slice(end - block.shape[1], end), block)
            for end, block in zip(ends, blocks, strict=True)
        ]
        matrix = np.concatenate(blocks, axis=1)
        centred = values - values.mean(axis=1, keepdims=True)
        self._coefficients = centred @ np.linalg.pinv(matrix).T
        self.rest = centred - self._coefficients @ matrix.T
        """What no single choice explains."""

    def main(self, place: int) -> tuple[Numbers, Numbers]:
        """The values of the options of a choice, and the share of the choice."""
        columns, block = self._blocks[place]
        own = self._coefficients[:, columns]
        return own, self._share(np.mean((own @ block.T) ** 2, axis=1))

    def occur_together(self, i: int, j: int) -> bool:
        """Whether two choices are ever open at once: no, in two branches."""
        return bool(((self._codes[:, i] >= 0) & (self._codes[:, j] >= 0)).any())

    def pair(self, i: int, j: int) -> tuple[list[tuple[int, int]], Numbers, Numbers]:
        """The combinations of two choices, their values, and the share of the pair."""
        total = self._codes.shape[0]
        cells = [
            ((a, b), (self._codes[:, i] == a) & (self._codes[:, j] == b))
            for a, b in itertools.product(self.known[i], self.known[j])
        ]
        cells = [(cell, rows) for cell, rows in cells if rows.any()]
        sizes = np.array([np.count_nonzero(rows) for _, rows in cells])
        indicator = np.array([rows for _, rows in cells], dtype=np.float64)
        values = self.rest @ (indicator.T / sizes)
        own = values**2 @ (sizes / total)
        # Means of unrelated values would differ too: the fewer there are in a cell,
        # the more.
        noise = len(cells) / total * (np.mean(self.rest**2, axis=1) - own)
        share = self._share(np.maximum(0.0, own - np.maximum(0.0, noise)))
        return [cell for cell, _ in cells], values, share

    def _share(self, part: Numbers) -> Numbers:
        whole = np.maximum(self._variance, np.finfo(np.float64).tiny)
        return np.minimum(1.0, part / whole)


def _choice_effect(parts: _Parts, place: int) -> ChoiceEffect:
    choice = parts.choices[place]
    options = ranked_options(choice)
    values, share = parts.main(place)
    best = int(np.argmin(values[0]))
    effects = [
        OptionEffect(options[code], _slowdown(values[:, at] - values[:, best]))
        for at, code in enumerate(parts.known[place])
    ]
    return ChoiceEffect(choice.name, _interval(share), tuple(effects))


def _pair_effect(parts: _Parts, i: int, j: int) -> PairEffect:
    first, second = parts.choices[i], parts.choices[j]
    cells, values, share = parts.pair(i, j)
    found = [
        CellEffect(
            ranked_options(first)[a], ranked_options(second)[b], _slowdown(column)
        )
        for (a, b), column in zip(cells, values.T, strict=True)
    ]
    found.sort(key=lambda cell: -cell.slowdown.value)
    return PairEffect(first.name, second.name, _interval(share), tuple(found))


def _slowdown(differences: Numbers) -> Interval:
    """A difference of log times, as a ratio of times less 1."""
    found = _interval(differences)
    ends = np.clip([found.value, found.low, found.high], -_LARGEST, _LARGEST)
    return Interval(*np.expm1(ends).tolist())


def _interval(values: Numbers) -> Interval:
    """The first value, and where the middle 95% of the others are."""
    low, high = np.percentile(values[1:], [2.5, 97.5]).tolist()
    value = float(values[0])
    return Interval(value, min(low, value), max(high, value))
