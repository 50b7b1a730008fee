"""A simulated machine: the clock of a run with parallel compilers and one device.

A candidate is built by one of several builders, compiled by one of several compilers,
and measured by the device. Each stage takes the candidates in the order of their
arrival.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """The sizes of a machine, and how far a search on it proposes ahead.

    The seconds are those of a run on a machine with 16 cores and an H200.
    """

    builders: int = 7
    compilers: int = 14
    start_up: float = 2.5
    """Seconds before the first point is proposed."""
    compilers_start: float = 3.6
    """Seconds before the compilers have loaded what they need."""
    device_starts: float = 5.6
    """Seconds before the device has its reference."""
    outstanding: int = 46
    """Most points that are under way."""
    asked_at_once: int = 4
    """Points that the strategy is asked for at once."""


SEQUENTIAL = Machine(1, 1, 4.0, 4.0, 4.0, outstanding=1, asked_at_once=1)
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


_NO_CANDIDATE = -1
"""The number of a worker that starts. Previews have smaller numbers."""


class SimulatedStages:
    """Takes candidates through the stages and tells when they end."""

    def __init__(self, machine: Machine) -> None:
        """Start with every builder idle, at time 0."""
        self._workers = [machine.builders, machine.compilers, 1]
        self._idle = [machine.builders, 0, 0]
        self._queues: list[list[int]] = [[], [], []]
        self._events: list[tuple[float, int, int, int]] = []
        self._order = itertools.count()
        self._work: dict[int, Sequence[float]] = {}
        self._ended: list[int] = []
        self._compilers_ready = False
        self._previews: dict[int, str] = {}
        self._preview_numbers = itertools.count(_NO_CANDIDATE - 1, -1)
        self.built: set[str] = set()
        """The previews that have ended, by their keys."""
        self.now = 0.0
        self.measuring = 0.0
        """Seconds that the device was busy."""
        for stage, moment in (1, machine.compilers_start), (2, machine.device_starts):
            for _ in range(self._workers[stage]):
                self._add_event(moment, _NO_CANDIDATE, stage)

    @property
    def outstanding(self) -> int:
        """Candidates that have not ended."""
        return len(self._work) - len(self._previews)

    @property
    def compilers_want_jobs(self) -> bool:
        """Whether fewer candidates wait for a compiler than there are compilers."""
        return self._compilers_ready and len(self._queues[1]) < self._workers[1]

    def put(self, number: int, work: Work) -> None:
        """Start on a candidate now."""
        self._work[number] = work.stages
        self._arrive(number, 0, self.now)

    def preview(self, key: str, seconds: float) -> None:
        """Start to build a point now, which may become a candidate."""
        if key in self.built or key in self._previews.values():
            return
        number = next(self._preview_numbers)
        self._previews[number] = key
        self._work[number] = (seconds,)
        self._arrive(number, 0, self.now)

    def advance(self, moment: float) -> None:
        """Let time pass in which nobody waits for results."""
        while self._events and self._events[0][0] <= moment:
            self._step()
        self.now = max(self.now, moment)

    def wait_for(self, keys: Iterable[str], *, patient: bool) -> None:
        """Wait until previews have ended; if not patient, while compilers have work."""
        wanted = set(keys)
        while self._events and not wanted <= self.built:
            if not patient and self.compilers_want_jobs:
                return
            self._step()

    def next_end(self) -> int | None:
        """Wait until a candidate ends, and return its number; None if there is none."""
        while self._work and not self._ended and self._events:
            self._step()
        return self._ended.pop(0) if self._ended else None

    def _step(self) -> None:
        """Let time pass until a worker has finished something."""
        moment, _, number, stage = heapq.heappop(self._events)
        self.now = max(self.now, moment)
        self._leave(stage, moment)
        if number == _NO_CANDIDATE:
            self._compilers_ready |= stage == 1
        elif stage < len(self._work[number]) - 1:
            self._arrive(number, stage + 1, moment)
        else:
            del self._work[number]
            if number in self._previews:
                self.built.add(self._previews.pop(number))
            else:
                self._ended.append(number)

    def _arrive(self, number: int, stage: int, moment: float) -> None:
        if self._idle[stage] and not self._queues[stage]:
            self._idle[stage] -= 1
            self._begin(number, stage, moment)
        elif number < 0:
            self._queues[stage].append(number)
        else:
            # Previews wait until no candidate does.
            queue = self._queues[stage]
            place = next((n for n, other in enumerate(queue) if other < 0), len(queue))
            queue.insert(place, number)

    def _begin(self, number: int, stage: int, moment: float) -> None:
        seconds = self._work[number][stage]
        if stage == len(self._queues) - 1:
            self.measuring += seconds
        self._add_event(moment + seconds, number, stage)

    def _add_event(self, moment: float, number: int, stage: int) -> None:
        heapq.heappush(self._events, (moment, next(self._order), number, stage))

    def _leave(self, stage: int, moment: float) -> None:
        if self._queues[stage]:
            self._begin(self._queues[stage].pop(0), stage, moment)
        else:
            self._idle[stage] += 1
