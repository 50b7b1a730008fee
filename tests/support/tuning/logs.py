"""Logs of tuning runs whose effects are known, for the tests of `explain`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable

from tilewright.schedules.schedule import Schedule
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
from tilewright.tuning.space.choices import Point, canonical
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space

SCHEDULE = """
schedule s(root) {
  BM = knob [32, 64, 128]
  BN = knob [32, 64, 128]
  warps = knob [2, 4, 8]
  unused = knob [1, 2]
  choose loads {
    pointers { }
    descriptors { S = knob [2, 3] }
  }
}
"""

BM = {32: 0.5, 64: 0.2, 128: 0.0}
BN = {32: 0.0, 64: 0.1, 128: 0.3}
LOADS = {"pointers": 0.15, "descriptors": 0.0}
STAGES = {2: 0.1, 3: 0.0}
PAIR = {(32, 8): 0.4, (128, 8): -0.2}
"""Log times that options of BM, BN, loads and S add, and pairs of BM and warps."""


def space() -> Space:
    return read_space(Schedule.from_text(SCHEDULE).module)


def log_time(point: Point) -> float:
    """The planted logarithm of the milliseconds."""
    bm, bn, warps = (int(point[name]) for name in ("BM", "BN", "warps"))
    stages = STAGES[int(point["S"])] if "S" in point else 0.0
    own = BM[bm] + BN[bn] + LOADS[str(point["loads"])] + stages
    return own + PAIR.get((bm, warps), 0.0)


def trial(point: Point, noise: float = 0.0, **changes: object) -> LoggedTrial:
    """A trial that worked, as long as the plan says."""
    ms = math.exp(log_time(point) + noise)
    rest = {name: value for name, value in point.items() if name != "unused"}
    fields: dict[str, object] = {
        "program": canonical(rest),
        "p20": 0.99 * ms,
        "p50": ms,
        "p80": 1.01 * ms,
        "seconds": {"transform": 0.1, "compile": 1.0, "time": 0.05},
    }
    return LoggedTrial(point, "ok", **{**fields, **changes})  # type: ignore[arg-type]


def planted(
    count: int | None = None,
    *,
    seed: int = 0,
    noise: float = 0.02,
    eager: bool = False,
    known: bool = True,
) -> TuningLog:
    """A log of random points of the space; if `eager`, mostly of the fast half."""
    rng = random.Random(seed)
    whole = space()
    points = list(whole.points())
    rng.shuffle(points)
    if eager:
        middle = sorted(map(log_time, points))[len(points) // 2]
        points = [p for p in points if log_time(p) <= middle or rng.random() < 0.2]
    # Points with the same program have the same time.
    noises: dict[str, float] = {}
    trials: list[LoggedTrial] = []
    for number, point in enumerate(points[:count]):
        key = trial(point).program
        wobble = noises.setdefault(key, rng.gauss(0.0, noise))
        trials.append(trial(point, wobble, ended=2.0 + 0.5 * number))
    return log_of(trials, whole if known else None)


def log_of(trials: Iterable[LoggedTrial], known: Space | None = None) -> TuningLog:
    listed = tuple(trials)
    timed = bool(listed) and all(one.ended is not None for one in listed)
    return TuningLog(
        "planted",
        "payload.mlir",
        "s.tw",
        "a card",
        "torch 2",
        True,
        listed,
        clock="a test's" if timed else "",
        wall_seconds=2.0 + 0.5 * len(listed) if timed else None,
        known_space=known,
    )


def true_effect(
    part: Callable[[Point], float], name: str, value: object, other: object
) -> float:
    """The mean difference of log times between two options over the whole space."""
    points = [point for point in space().points() if name in point]

    def mean(option: object) -> float:
        values = [part(point) for point in points if point[name] == option]
        return sum(values) / len(values)

    return mean(value) - mean(other)
