"""Averages of times: over several sizes, and over rounds whose clocks differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean: twice the speed at one size balances half at another.

    In a sum of times the largest size would dominate. Ratios to a baseline at each size
    would give the same order, so there is no baseline.
    """
    listed = list(values)
    if min(listed) <= 0.0:
        return 0.0
    return math.exp(sum(math.log(value) for value in listed) / len(listed))


def without_drift(
    rounds: Sequence[Mapping[str, float]], sweeps: int = 20
) -> dict[str, float]:
    """The time of each name, from rounds in which some of the names were timed.

    All times of a round share a factor, the drift of the clocks. Names and rounds get
    the factors that fit all times best: least squares of the logarithms, solved for
    names and rounds in turn.
    """
    names = {name: at for at, name in enumerate({n: 0 for r in rounds for n in r})}
    name = np.array([names[n] for one in rounds for n in one], dtype=int)
    turn = np.repeat(np.arange(len(rounds)), [len(one) for one in rounds])
    logs = np.log([ms for one in rounds for ms in one.values()])
    of_name, drift = np.zeros(len(names)), np.zeros(len(rounds))
    for _ in range(sweeps):
        drift = np.bincount(turn, logs - of_name[name]) / np.bincount(turn)
        of_name = np.bincount(name, logs - drift[turn]) / np.bincount(name)
    usual = float(np.mean(drift)) if rounds else 0.0
    return {key: math.exp(float(of_name[at]) + usual) for key, at in names.items()}
