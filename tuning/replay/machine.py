"""A simulated machine: the clock of a run with parallel compilers and one device.

A candidate is built by one of several builders, compiled by one of several compilers,
and measured by the device. Each stage takes the candidates in the order of their
arrival.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """The sizes of a machine, and how far a search on it proposes ahead."""

    builders: int = 7
    compilers: int = 14
    start_up: float = 4.0
    """Seconds before the first point is proposed."""
    outstanding: int = 32
    """Most points that are under way."""
    asked_at_once: int = 4
    """Points that the strategy is asked for at once."""


SEQUENTIAL = Machine(1, 1, outstanding=1, asked_at_once=1)
"""One point at a time: a strategy knows every result before it proposes again."""


@dataclass(frozen=True)
class Work:
    """The seconds of a candidate at each stage; zero where it ends before."""

    build: float
    compile: float
    measure: float

    @property
    def stages(self) -> tuple[float, float, float]:
        """The seconds in order of the stages."""
        return self.build, self.compile, self.measure


class SimulatedStages:
    """Takes candidates through the stages and tells when they end."""

    def __init__(self, machine: Machine) -> None:
        """Start with every worker idle, at time 0."""
        self._idle = [machine.builders, machine.compilers, 1]
        self._queues: list[list[int]] = [[], [], []]
        self._events: list[tuple[float, int, int, int]] = []
        self._order = itertools.count()
        self._work: dict[int, Sequence[float]] = {}
        self.now = 0.0
        self.measuring = 0.0
        """Seconds that the device was busy."""

    @property
    def outstanding(self) -> int:
        """Candidates that have not ended."""
        return len(self._work)

    def put(self, number: int, work: Work) -> None:
        """Start on a candidate now."""
        self._work[number] = work.stages
        self._arrive(number, 0)

    def advance(self, moment: float) -> None:
        """Let time pass in which nobody waits for results."""
        self.now = max(self.now, moment)

    def next_end(self) -> int | None:
        """Wait until a candidate ends, and return its number; None if there is none."""
        while self._events:
            moment, _, number, stage = heapq.heappop(self._events)
            self.now = max(self.now, moment)
            self._leave(stage, moment)
            if stage == len(self._queues) - 1:
                del self._work[number]
                return number
            self._arrive(number, stage + 1, moment)
        return None

    def _arrive(self, number: int, stage: int, moment: float | None = None) -> None:
        if self._idle[stage] and not self._queues[stage]:
            self._idle[stage] -= 1
            self._begin(number, stage, self.now if moment is None else moment)
        else:
            self._queues[stage].append(number)

    def _begin(self, number: int, stage: int, moment: float) -> None:
        seconds = self._work[number][stage]
        if stage == len(self._queues) - 1:
            self.measuring += seconds
        event = (moment + seconds, next(self._order), number, stage)
        heapq.heappush(self._events, event)

    def _leave(self, stage: int, moment: float) -> None:
        if self._queues[stage]:
            self._begin(self._queues[stage].pop(0), stage, moment)
        else:
            self._idle[stage] += 1
