"""Simulated tuning runs on a recording: random configurations, compiled and timed.

A run takes some of the recorded configurations at random, in random order. Each is
compiled, then timed as `triton.testing.do_bench` does it: one launch, five to estimate
its time, then warm-up and repetitions for so many milliseconds, with an L2 clear before
every launch but those of the warm-up. The run keeps the configuration with the lowest
median. All runs of a setting are simulated at once, as arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.tuning.replay.tuning_cost import Input, TuningCost
from tilewright.tuning.results.tuning_result import GAIN

RUNS = 500
OWN = 30
"""Configurations of a whole run: one that takes fewer of them has stopped early."""
FEW = 5
"""Launches that decide whether a configuration is much slower than the best."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """How a run tunes."""

    configurations: int = 30
    repetition_ms: float = 100.0
    warm_up_ms: float | None = None
    """None: a quarter of the repetitions, as the defaults of Triton have it."""
    processes: int = 1
    slower: float | None = None
    """Ends the timing of a configuration whose first launches are that much slower."""
    patience: int | None = None
    """Ends a run after so many configurations without a gain."""
    clear: int | None = None
    """Bytes of the L2 clear; None: those of the judge."""

    def __str__(self) -> str:
        """The setting in words."""
        words = [
            f"{self.configurations} configurations",
            f"{self.repetition_ms:g} ms",
            f"{self.processes} processes",
        ]
        words += [] if self.slower is None else [f"timing ends at {self.slower:g}x"]
        words += [] if self.patience is None else [f"patience {self.patience}"]
        if self.clear is not None:
            words.append(f"clear {self.clear / (1 << 20):.3g} MB")
        return ", ".join(words)


@dataclass(frozen=True)
class Outcome:
    """The runs of a setting: speed as a share of the best, and seconds."""

    speed: Floats
    seconds: Floats
    tried: Floats
    """Configurations that were timed."""
    speed_of_own: Floats
    """As a share of the best of the run's own `OWN` configurations."""

    def as_json(self) -> dict[str, float]:
        """Means and spreads."""
        low, high = np.percentile(self.speed, [5, 95])
        return {
            "speed": round(float(self.speed.mean()), 5),
            "speed_deviation": round(float(self.speed.std(ddof=1)), 5),
            "speed_p5": round(float(low), 5),
            "speed_p95": round(float(high), 5),
            "speed_of_own": round(float(self.speed_of_own.mean()), 5),
            "seconds": round(float(self.seconds.mean()), 4),
            "seconds_deviation": round(float(self.seconds.std(ddof=1)), 4),
            "tried": round(float(self.tried.mean()), 2),
        }


@dataclass(frozen=True)
class Launches:
    """The launches of one input with one clear: a row for each configuration."""

    sorted_us: Floats
    """Padded on the right."""
    count: NDArray[np.int64]
    clear_us: float

    @cached_property
    def median_us(self) -> Floats:
        """The median of each configuration."""
        rows = np.arange(len(self.count))
        return self.sorted_us[rows, self.count // 2]

    def at(self, rows: NDArray[np.int64], quantile: Floats) -> Floats:
        """The launch at a quantile of each row."""
        counts = self.count[rows]
        place = np.minimum((quantile * counts).astype(np.int64), counts - 1)
        return self.sorted_us[rows, place]


class Study:
    """A recording, ready for simulations."""

    def __init__(self, cost: TuningCost, judge_clear: int | None = None) -> None:
        """Winners are judged with a clear of `judge_clear` bytes: that of the study."""
        self.cost = cost
        self.clears = sorted({clear for _, clear in cost.launches})
        self.judge_clear = cost.study_clear if judge_clear is None else judge_clear
        self._launches: dict[tuple[Input, int], Launches] = {}
        working = set(range(len(cost.configurations))) - set(cost.failures)
        for found in cost.launches.values():
            working &= set(found)
        self.working = sorted(working)
        """Configurations that were timed on every input."""
        self.compile_seconds = np.array(
            [cost.compile_seconds[number] for number in self.working]
        )

    @property
    def inputs(self) -> list[Input]:
        """The inputs that can be judged."""
        return [m for m, clear in self.cost.launches if clear == self.judge_clear]

    def launches(self, extents: Input, clear: int) -> Launches:
        """The launches of an input with a clear."""
        key = (extents, clear)
        if key not in self._launches:
            found = self.cost.launches[key]
            rows = [found[number] for number in self.working]
            count = np.array([len(row) for row in rows])
            padded = np.full((len(rows), int(count.max())), np.nan)
            for place, row in enumerate(rows):
                padded[place, : len(row)] = row
            clear_us = self.cost.clear_us.get(clear, 0.0)
            self._launches[key] = Launches(padded, count, clear_us)
        return self._launches[key]

    def speedup(self, processes: int) -> float:
        """How much sooner that many processes have compiled, between measured pools."""
        known = {1: 1.0}
        for pool in self.cost.pools:
            if pool.processes > 1:
                known[pool.processes] = max(1.0, self.cost.speedup(pool))
        sizes = sorted(known)
        return float(np.interp(processes, sizes, [known[size] for size in sizes]))

    def simulate(
        self, extents: Input, setting: Setting, runs: int = RUNS, seed: int = 0
    ) -> Outcome:
        """Runs with this setting on one input."""
        rng = np.random.default_rng([seed, *extents])
        judge = self.launches(extents, self.judge_clear).median_us
        clear = self.judge_clear if setting.clear is None else setting.clear
        launches = self.launches(extents, clear)
        count = min(setting.configurations, len(self.working))
        everything = rng.random((runs, len(self.working))).argsort(axis=1)
        order = everything[:, :count]
        timed = _Timed(launches, setting, order, rng)
        compiling = self.compile_seconds[order]
        speedup = self.speedup(min(setting.processes, count))

        best = np.full(runs, np.inf)
        gained = np.full(runs, np.inf)
        winner = order[:, 0].copy()
        since = np.zeros(runs)
        compiled = np.zeros(runs)
        longest = np.zeros(runs)
        timing = np.zeros(runs)
        tried = np.zeros(runs)
        going = np.ones(runs, dtype=bool)
        for step in range(count):
            told, spent = timed.step(step, best)
            compiled += np.where(going, compiling[:, step], 0.0)
            longest = np.where(going, np.maximum(longest, compiling[:, step]), longest)
            timing += np.where(going, spent, 0.0)
            tried += going
            better = going & (told < best)
            winner[better] = order[better, step]
            best[better] = told[better]
            gain = going & (told <= gained * (1 - GAIN))
            gained[gain] = told[gain]
            since = np.where(gain, 0, since + 1)
            if setting.patience is not None:
                going &= since < setting.patience
        own = judge[everything[:, : max(OWN, count)]].min(axis=1)
        return Outcome(
            judge.min() / judge[winner],
            # No compilation ends before its own seconds are over.
            np.maximum(compiled / speedup, longest) + timing,
            tried,
            own / judge[winner],
        )


class _Timed:
    """The timing of every configuration of every run."""

    def __init__(
        self,
        launches: Launches,
        setting: Setting,
        order: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> None:
        self._slower = setting.slower
        each = launches.median_us[order]
        with_clear = each + launches.clear_us
        warm_ms = setting.warm_up_ms
        warm_ms = setting.repetition_ms / 4 if warm_ms is None else warm_ms
        warm_ups = np.maximum(1, warm_ms * 1e3 // with_clear)
        repetitions = np.maximum(1, setting.repetition_ms * 1e3 // with_clear)
        # The k-th smallest of n draws is at a quantile with distribution beta.
        middle = (repetitions + 1) // 2
        quantile = rng.beta(middle, repetitions - middle + 1)
        self._told = launches.at(order, quantile)
        first = each + FEW * with_clear
        self._seconds = (first + warm_ups * each + repetitions * with_clear) / 1e6
        smallest = 1.0 - (1.0 - rng.random(order.shape)) ** (1.0 / FEW)
        self._fastest = launches.at(order, smallest)
        self._short = first / 1e6

    def step(self, step: int, best: Floats) -> tuple[Floats, Floats]:
        """The median that each run is told, and the seconds of timing."""
        told, seconds = self._told[:, step], self._seconds[:, step]
        if self._slower is None:
            return told, seconds
        fastest = self._fastest[:, step]
        ends = fastest > self._slower * best
        return (
            np.where(ends, np.maximum(fastest, best * self._slower), told),
            np.where(ends, self._short[:, step], seconds),
        )


def over_inputs(
    study: Study, setting: Setting, inputs: list[Input], runs: int = RUNS
) -> Outcome:
    """The runs on several inputs, one after the other."""
    found = [study.simulate(extents, setting, runs) for extents in inputs]
    return Outcome(
        np.concatenate([one.speed for one in found]),
        np.concatenate([one.seconds for one in found]),
        np.concatenate([one.tried for one in found]),
        np.concatenate([one.speed_of_own for one in found]),
    )


def frontier(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that no other beats in both seconds and speed, by seconds."""
    kept: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda row: (row["seconds"], -row["speed"])):
        if not kept or row["speed"] > kept[-1]["speed"]:
            kept.append(row)
    return kept


def changed(base: Setting, **changes: Any) -> Setting:
    """The setting with other values."""
    return replace(base, **changes)
