"""Measure many points of a planned schedule, beside what the planner's model says.

Works whose plan has one kernel take part. Of each of its sketches, points are taken
from the best estimate to the worst, denser near the best. `judged` says how well the
estimates rank the points, and what the first pick loses.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.timing import Contender, checked_error

WORTH = 4.0
"""Points whose estimate is this many times the best one are left out."""


@dataclass(frozen=True)
class Trial:
    """A point of a sketch, as the planner names it and as the schedule does."""

    work: str
    sketch: str
    point: tuple[tuple[str, int], ...]
    settings: tuple[tuple[str, Any], ...]
    estimate: float
    """Seconds, by the model."""


def sweep(bench: Any, count: int) -> int:
    """Measure up to `count` points of each sketch of the works of a run."""
    import tilewright
    from harness.planned import ahead

    found: list[Trial] = []
    texts: dict[str, str] = {}
    for name, work in bench.works.items():
        plan = tilewright.plan(work.payload)
        texts[name] = plan.text
        found += trials(name, plan, count)
    bench.say(f"building {len(found)} points")
    points = [(one.work, texts[one.work], one.settings) for one in found]
    built = dict(ahead.build_points(points, bench.dry))
    meter = Meter(bench)
    rows: list[dict[str, Any]] = []
    bench.record["sweep"] = rows
    for at, one in enumerate(found):
        if time.monotonic() > bench.deadline:
            bench.say(f"the budget ended after {at} of {len(found)} points")
            break
        row = {"work": one.work, "sketch": one.sketch, "point": dict(one.point)}
        row["estimate_us"] = one.estimate * 1e6
        rows.append(row | meter.sample(one.work, built[at]))
        if at + 1 == len(found) or found[at + 1].work != one.work:
            bench.record["judged"] = judged(rows)
            bench.say(f"{one.work}: {words(bench.record['judged'].get(one.work, {}))}")
            bench.save()
    regrets = [one["regret"] for one in bench.record.get("judged", {}).values()]
    if regrets:
        bench.say(f"regret of the first pick: median {np.median(regrets):.2f}")
    return int(not regrets)


class Meter:
    """Checks and times one program after the other."""

    def __init__(self, bench: Any) -> None:
        self.bench = bench
        self.clock = bench.clock
        self.name, self.tensors, self.reference = "", (), ()

    def sample(self, name: str, ahead: Any) -> dict[str, Any]:
        """The time of a program, from a few calls, or the error."""
        if ahead.error:
            return {"error": ahead.error}
        bench, work = self.bench, self.bench.works[name]
        if self.name != name:
            self.tensors = work.inputs(bench.device)
            self.reference = work.reference(*self.tensors)
            self.name = name
        try:
            call = bench.loaded(name, ahead)
            contender = Contender("ours", lambda: call(*self.tensors), ours=True)
            checked_error(contender, self.reference, work.error)
            one_ms = max(self.clock.estimate(contender.call), 1e-3)
            repetitions = 1 if bench.dry else min(max(round(4 / one_ms), 5), 100)
            samples = self.clock.sample(contender.call, 2, repetitions)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return {"us": float(np.median(samples)) * 1e3}


def trials(work: str, plan: Any, count: int) -> list[Trial]:
    """Up to `count` points of every sketch; the first is the planner's pick."""
    from tilewright.planning.kernels import knob_suffix

    kernels = [kernel for kernel in plan.kernels if kernel.candidates]
    if len(kernels) != 1 or len(kernels[0].groups) != 1:
        return []
    candidates = kernels[0].candidates
    best = candidates[0].seconds
    made: list[Trial] = []
    for candidate in candidates:
        sketch = candidate.sketch
        open_ = {knob.name for knob in candidate.knobs if len(knob.options) > 1}
        timed = [(sketch.seconds(p), dict(p)) for p in candidate.points()]
        timed = [pair for pair in timed if pair[0] <= WORTH * best]
        # The planner's own pick is first, also among points of the same estimate.
        timed.sort(key=lambda pair: pair[1] != dict(candidate.point))
        suffix = knob_suffix(kernels, kernels[0], candidate)
        for at in spread(len(timed), count):
            seconds, point = timed[at]
            settings = {n + suffix: v for n, v in point.items() if n in open_}
            if len(candidates) > 1:
                settings["kernel"] = sketch.label
            given = tuple(point.items()), tuple(settings.items())
            made.append(Trial(work, sketch.label, *given, seconds))
    return made


def spread(total: int, count: int) -> list[int]:
    """Up to `count` of the positions 0 .. total - 1, denser at the front."""
    if total <= count:
        return list(range(total))
    powers = np.geomspace(1, total, count)
    return sorted({round(power) - 1 for power in powers})


def judged(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Rank correlation of the estimates, and the regret of the first pick, by work."""
    found: dict[str, Any] = {}
    for work in dict.fromkeys(row["work"] for row in rows):
        timed = [row for row in rows if row["work"] == work and "us" in row]
        if not timed:
            continue
        best = min(timed, key=lambda row: row["us"])
        first = min(timed, key=lambda row: row["estimate_us"])
        found[work] = {
            "points": len(timed),
            "rank_correlation": spearman(
                [row["estimate_us"] for row in timed], [row["us"] for row in timed]
            ),
            "regret": first["us"] / best["us"],
            "estimate_of_first": first["estimate_us"] / first["us"],
            "first": f"{first['sketch']} {words(first['point'])}: {first['us']:.1f} us",
            "best": f"{best['sketch']} {words(best['point'])}: {best['us']:.1f} us",
        }
    return found


def spearman(one: Iterable[float], other: Iterable[float]) -> float | None:
    """The rank correlation; None for fewer than three points."""
    ranks = [np.argsort(np.argsort(list(values))) for values in (one, other)]
    if len(ranks[0]) < 3:
        return None
    return float(np.corrcoef(*ranks)[0, 1])


def words(point: Mapping[str, Any]) -> str:
    """`BM=128 BN=64`."""
    return " ".join(
        f"{name}={value:.2f}" if isinstance(value, float) else f"{name}={value}"
        for name, value in point.items()
    )
