"""The quality of the learned model: how well it ranks programs that it has not seen.

Each *fold* holds out a group of examples, trains on the rest, and ranks each space of
the group. Held out are, in turn:

- a *shape*: one space; other shapes of its family stay,
- a *family*: all spaces whose payloads differ only in their sizes,
- a *device*: all spaces of a card,
- *most* of a space: a few of its points stay, as in the middle of a run.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from tilewright.tuning.learning.features import ESTIMATE
from tilewright.tuning.learning.model import LEAST, TimeModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.tuning.learning.dataset import Example, Origin

HeldOut: TypeAlias = Literal["shape", "family", "device", "most"]
HELD_OUT: tuple[HeldOut, ...] = get_args(HeldOut)

TOP = (1, 5, 10, 30)
"""Sizes of the sets of best-ranked programs whose regret is reported."""

SHOWN = 30
"""Points of a space that the model may learn from when most of it is held out."""

_FEWEST = 20
"""Examples of a space that can be ranked."""


@dataclass(frozen=True)
class Ranking:
    """How well one ranking of a space agrees with the measured times."""

    correlation: float
    """Spearman's: 1 for the same order, 0 for a random one."""
    regret: tuple[float, ...]
    """For each size of `TOP`: the fastest program among so many that are ranked first,
    over the fastest of all, less 1."""


@dataclass(frozen=True)
class Fold:
    """A space that was ranked without its own results, or with a few of them."""

    held_out: HeldOut
    origin: Origin
    compiled: bool
    """Whether the model read the compiler's report too."""
    programs: int
    trained_on: int
    learned: Ranking
    analytic: Ranking
    """The cost model's ranking of the same programs."""


def folds(
    examples: Sequence[Example], held_out: HeldOut, *, compiled: bool = False
) -> Iterator[Fold]:
    """Rank every space with enough examples; none where nothing is left to train on."""
    spaces: dict[Origin, list[Example]] = defaultdict(list)
    for example in examples:
        spaces[example.origin].append(example)
    for origin, members in spaces.items():
        if len(members) < _FEWEST:
            continue
        shown, asked = _split(members) if held_out == "most" else ([], members)
        is_out = _IS_HELD_OUT[held_out]
        others = [e for e in examples if not is_out(e.origin, origin)]
        if held_out == "shape" and all(
            e.origin.family != origin.family for e in others
        ):
            continue
        training = others + shown
        if len(training) < LEAST:
            continue
        model = TimeModel(origin, compiled=compiled)
        model.fit(training)
        predicted = model.predict([e.features for e in asked], [e.point for e in asked])
        times = [example.milliseconds for example in asked]
        yield Fold(
            held_out,
            origin,
            compiled,
            len(asked),
            len(training),
            rank_quality(predicted, times),
            rank_quality([e.features[ESTIMATE] for e in asked], times),
        )


def rank_quality(predicted: Sequence[float], times: Sequence[float]) -> Ranking:
    """Compare a ranking by predictions with the measured times."""
    order = np.argsort(np.asarray(predicted), kind="stable")
    ranked = np.asarray(times)[order]
    best = float(ranked.min())
    regret = tuple(float(ranked[:size].min()) / best - 1.0 for size in TOP)
    return Ranking(spearman(predicted, times), regret)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation; 0 where one of them is constant."""
    ranks = _ranks(one), _ranks(other)
    if np.ptp(ranks[0]) == 0 or np.ptp(ranks[1]) == 0:
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The rank of each value; equal ones share the mean of their ranks."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


def mean_ranking(rankings: Sequence[Ranking]) -> Ranking:
    """The means over spaces."""
    count = len(rankings)
    return Ranking(
        math.fsum(one.correlation for one in rankings) / count,
        tuple(
            math.fsum(column) / count
            for column in zip(*(r.regret for r in rankings), strict=True)
        ),
    )


def _split(members: list[Example]) -> tuple[list[Example], list[Example]]:
    """A few random examples, and the rest."""
    shuffled = random.Random(0).sample(members, len(members))
    count = min(SHOWN, len(members) // 2)
    return shuffled[:count], shuffled[count:]


_IS_HELD_OUT: dict[HeldOut, Callable[[Origin, Origin], bool]] = {
    "shape": lambda other, space: other.space == space.space,
    "family": lambda other, space: other.family == space.family,
    "device": lambda other, space: other.device == space.device,
    "most": lambda other, space: other.space == space.space,
}
"""Whether examples of `other` are held out when `space` is ranked."""
