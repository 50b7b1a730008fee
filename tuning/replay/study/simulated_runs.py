"""Tunes on a recording at random, as the published study does.

Settings are drawn at random: how many configurations, and for how long each is timed.
For each setting, several runs take that many valid configurations in random order. A
configuration is compiled once, and its launches are added up until the time is over; a
run costs its compilations, its launches, and the overhead of every configuration. The
winner is the configuration with the least median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilewright.tuning.replay.study.recording import Floats, Input, StudyRecording

DRAWS, RUNS = 500, 30
RUNS_OF_EACH = 5
"""Runs on each input, where the mean of all inputs is asked for."""
LEAST_MS, MOST_MS = 10.0, 100.0
MOST_CONFIGURATIONS = 80
FEWEST_EARLY, MOST_EARLY = 2, 100
"""Launches after which a slow configuration may be given up."""
LARGEST_THRESHOLD = 1.1
"""Times the best known that a configuration is given up at, at most."""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Early:
    """When the timing of a configuration ends early; one of each for every draw."""

    launches: Integers
    threshold: Floats


@dataclass(frozen=True)
class Draws:
    """The settings that are drawn."""

    configurations: Integers
    milliseconds: Floats
    early: Early

    @staticmethod
    def at_random(count: int, most: int, seed: int = 0) -> Draws:
        """So many settings, of at most so many configurations."""
        rng = np.random.default_rng(seed)
        return Draws(
            rng.integers(1, min(MOST_CONFIGURATIONS, most) + 1, count),
            rng.uniform(LEAST_MS, MOST_MS, count),
            Early(
                rng.integers(FEWEST_EARLY, MOST_EARLY + 1, count),
                rng.uniform(1.0, LARGEST_THRESHOLD, count),
            ),
        )


@dataclass(frozen=True)
class Outcome:
    """The mean of the runs of each draw."""

    compile_seconds: Floats
    other_seconds: Floats
    tflops: Floats

    @property
    def seconds(self) -> Floats:
        """Of a whole run with one compile process."""
        return self.compile_seconds + self.other_seconds

    def seconds_with(self, processes: int, configurations: Integers) -> Floats:
        """As `seconds`, if that many processes compiled without any loss."""
        rounds = np.ceil(configurations / processes)
        return self.compile_seconds * rounds / configurations + self.other_seconds


class Simulation(NamedTuple):
    """What the runs of all draws find."""

    whole: Outcome
    """Every configuration is timed in full."""
    early: Outcome
    """The timing of slow configurations ends early."""


class SimulatedInput:
    """The simulated runs on one input."""

    def __init__(self, recording: StudyRecording, extents: Input) -> None:
        """Every valid configuration that was timed on this input."""
        self._timings = [
            (number, timing) for number, timing in recording.study[extents].items()
        ]
        seconds = recording.compile_seconds
        self._compile = np.array([seconds.get(n, 0.0) for n, _ in self._timings])
        self._overhead = np.array([t.overhead_seconds for _, t in self._timings])
        m, n, k = extents
        self._flops = 2.0 * m * n * k
        self._sums = [np.cumsum(t.samples_us) for _, t in self._timings]
        self._counts = np.array([len(sums) for sums in self._sums])
        early = min(MOST_EARLY, int(self._counts.max()))
        self._padded = np.zeros((len(self), early))
        """The sums of the first launches; behind the last of a row, no figure."""
        for place, sums in enumerate(self._sums):
            self._padded[place, : len(sums)] = sums[:early]

    def __len__(self) -> int:
        """How many configurations there are."""
        return len(self._timings)

    @cached_property
    def tflops(self) -> Floats:
        """Of every configuration, by all its launches."""
        medians = np.array([t.median_us for _, t in self._timings])
        return self._flops / medians / 1e6

    def simulate(self, draws: Draws, runs: int = RUNS, seed: int = 0) -> Simulation:
        """The runs of all draws, timed in full and with early stopping."""
        rng = np.random.default_rng([seed, 1])
        count = len(draws.milliseconds)
        compiling, others, tflops = (np.zeros(count) for _ in range(3))
        early_others, early_tflops = np.zeros(count), np.zeros(count)
        told_in, seconds_in = self._timed(draws.milliseconds)
        rows = np.arange(runs)
        for place in range(count):
            taken = min(int(draws.configurations[place]), len(self))
            order = rng.random((runs, len(self))).argsort(axis=1)[:, :taken]
            told, seconds = told_in[place], seconds_in[place]
            compiling[place] = self._compile[order].sum(axis=1).mean()
            overhead = self._overhead[order].sum(axis=1)
            others[place] = (overhead + seconds[order].sum(axis=1)).mean()
            winners = order[rows, told[order].argmin(axis=1)]
            tflops[place] = self.tflops[winners].mean()
            first = self._timed_first(int(draws.early.launches[place]), seconds)
            threshold = float(draws.early.threshold[place])
            heard, spent = _stopped(order, told, seconds, first, threshold)
            early_others[place] = (overhead + spent.sum(axis=1)).mean()
            winners = order[rows, heard.argmin(axis=1)]
            early_tflops[place] = self.tflops[winners].mean()
        return Simulation(
            Outcome(compiling, others, tflops),
            Outcome(compiling, early_others, early_tflops),
        )

    def _timed(self, milliseconds: Floats) -> tuple[Floats, Floats]:
        """The median that each configuration is told, and the seconds of launches.

        A row for each time that is asked for. Where fewer launches were recorded than
        the published time would have had, the recorded ones are taken again and again.
        """
        told = np.empty((len(milliseconds), len(self)))
        seconds = np.empty((len(milliseconds), len(self)))
        for place, (_, timing) in enumerate(self._timings):
            count, spent_us = _until(
                milliseconds * 1e3, self._sums[place], timing.asked_launches
            )
            seconds[:, place] = spent_us / 1e6
            told[:, place] = timing.median_us
            for few in np.unique(count[count < len(timing.samples_us)]):
                median = float(np.median(timing.samples_us[:few]))
                told[count == few, place] = median
        return told, seconds

    def _timed_first(self, launches: int, seconds: Floats) -> tuple[Floats, Floats]:
        """The mean of so many launches, and their seconds; at most the whole timing."""
        last = np.minimum(launches, self._counts) - 1
        early_us = self._padded[np.arange(len(self)), last]
        return early_us / (last + 1), np.minimum(early_us / 1e6, seconds)


def _until(microseconds: Floats, sums: Floats, most: int) -> tuple[Integers, Floats]:
    """How many launches exceed so much time, at most `most`; and what they take."""
    whole = float(sums[-1])
    rounds = (microseconds // whole).astype(np.int64)
    rest = np.searchsorted(sums, microseconds - rounds * whole, side="right") + 1
    count = np.minimum(rounds * len(sums) + np.minimum(rest, len(sums)), most)
    rounds, rest = np.divmod(count, len(sums))
    return count, rounds * whole + np.concatenate([[0.0], sums])[rest]


def _stopped(
    order: Integers,
    told: Floats,
    seconds: Floats,
    early: tuple[Floats, Floats],
    threshold: float,
) -> tuple[Floats, Floats]:
    """What runs are told, and the seconds, if slow configurations are given up."""
    early_us, early_seconds = early
    best = np.full(len(order), np.inf)
    heard = np.empty(order.shape)
    spent = np.empty(order.shape)
    for step in range(order.shape[1]):
        tried = order[:, step]
        is_slow = early_us[tried] > best * threshold
        heard[:, step] = np.where(is_slow, early_us[tried], told[tried])
        spent[:, step] = np.where(is_slow, early_seconds[tried], seconds[tried])
        best = np.minimum(best, heard[:, step])
    return heard, spent


def frontier(seconds: Floats, speed: Floats) -> list[int]:
    """The places that no other beats in both, by seconds."""
    kept: list[int] = []
    for place in np.lexsort((-speed, seconds)):
        if not kept or speed[place] > speed[kept[-1]]:
            kept.append(int(place))
    return kept


def over_inputs(
    recording: StudyRecording, inputs: Sequence[Input], draws: Draws, runs: int
) -> Simulation:
    """The mean outcome on several inputs; speeds are relative to each one's best."""
    simulations: list[Simulation] = []
    for place, extents in enumerate(inputs):
        simulated = SimulatedInput(recording, extents)
        found = simulated.simulate(draws, runs, place)
        best = float(simulated.tflops.max())
        simulations.append(
            Simulation(*(replace(one, tflops=one.tflops / best) for one in found))
        )
    return Simulation(
        _mean([one.whole for one in simulations]),
        _mean([one.early for one in simulations]),
    )


def _mean(outcomes: Sequence[Outcome]) -> Outcome:
    return Outcome(
        np.mean([one.compile_seconds for one in outcomes], axis=0),
        np.mean([one.other_seconds for one in outcomes], axis=0),
        np.mean([one.tflops for one in outcomes], axis=0),
    )
