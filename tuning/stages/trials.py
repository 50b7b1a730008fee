"""Trials: what is known of a point or a program already, and recording what is new.

Points that give the same program share one candidate: the first is measured, the others
get its result.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.tuning.results.records import Record, Setting
from tilewright.tuning.results.tuning_result import Origin, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilewright.tuning.results.run_log import RunLog
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidates import Candidate, Ending


class Trials:
    """The trials of one run; each is recorded in the results file when it ends."""

    def __init__(
        self,
        setting: Setting,
        log: RunLog | None,
        *,
        reuse: bool,
        measured: bool,
        closed: Callable[[Point], str] | None = None,
    ) -> None:
        """`closed` gives the key of the schedule with the choices of a point closed."""
        self._setting = setting
        self._log = log
        self._known = None if log is None or not reuse else log.database
        self._closed = closed or (lambda point: "")
        self._own: set[str] = set()
        """The keys of closed schedules that this run has recorded."""
        self._measured = measured
        self._ended: dict[str, Trial] = {}
        """The first trial of each program that has ended, by the program's key."""
        self._codes: dict[str, str] = {}
        """The key of the first program with a machine code, by the code's key."""
        self._current: dict[str, Candidate] = {}
        """Candidates that have not ended, by the program's key."""

    def recorded(self, number: int, point: Point) -> Trial | None:
        """The trial of a point that the results file has."""
        if self._known is None or self._log is None:
            return None
        closed = self._closed(point)
        found = self._known.lookup_point(self._setting, point, closed)
        if found is None:
            return None
        origin: Origin = "duplicate" if closed in self._own else "database"
        self._log.answered(found, number, point, origin)
        # The file keeps names sorted; the report has them in the schedule's order. An
        # older version of the schedule may have had other names.
        trial = Trial(number, replace(found, point=point), origin)
        if found.program:
            self._ended.setdefault(found.program, trial)
        return trial

    def same_program(self, number: int, point: Point, key: str) -> list[Trial] | None:
        """The trials that a known program ends; None where the program is new.

        A point whose program is under way shares that candidate and ends with it.
        """
        if key in self._ended:
            return [self._copy(number, point, self._ended[key], "duplicate")]
        if key in self._current:
            self._current[key].duplicates.append((number, point))
            return []
        if self._known is None:
            return None
        setting = self._setting
        found = self._known.lookup(key, setting.device, setting.versions, setting.sizes)
        if found is None:
            return None
        known = Trial(number, found, "database")
        return [self._copy(number, point, known, "database")]

    def same_code(self, candidate: Candidate, code: str | None) -> list[Trial] | None:
        """The trials that end because their machine code is known; None if it is new.

        A candidate whose code is under way becomes a duplicate of that one.
        """
        key = candidate.program.key
        first = key if code is None else self._codes.setdefault(code, key)
        if first == key or not (first in self._ended or first in self._current):
            return None
        self._current.pop(key, None)
        points = [(candidate.number, candidate.point), *candidate.duplicates]
        if first in self._current:
            self._current[first].duplicates += points
            return []
        known = self._ended[first]
        self._ended.setdefault(key, known)
        return [self._copy(n, point, known, "duplicate") for n, point in points]

    def begin(self, candidate: Candidate) -> None:
        """Let later points with the same program join this candidate."""
        self._current[candidate.program.key] = candidate

    def end(self, candidate: Candidate, ending: Ending) -> list[Trial]:
        """Record a candidate, and the points that share it."""
        key = candidate.program.key
        self._current.pop(key, None)
        record = replace(
            self._record(candidate.point, key, ending),
            stats=candidate.stats,
            seconds=candidate.seconds,
            features={**candidate.built.features, **candidate.features},
        )
        if not ending.is_lasting:
            return [
                Trial(number, replace(record, point=point), "new", candidate.estimate)
                for number, point in [
                    (candidate.number, candidate.point),
                    *candidate.duplicates,
                ]
            ]
        trial = self._add(
            candidate.number, record, "new", candidate.estimate, ending.samples
        )
        duplicates = [
            self._copy(number, point, trial, "duplicate")
            for number, point in candidate.duplicates
        ]
        return [trial, *duplicates]

    def end_unbuilt(
        self, number: int, point: Point, ending: Ending, seconds: dict[str, float]
    ) -> Trial:
        """Record a point that gave no program."""
        record = replace(self._record(point, "", ending), seconds=seconds)
        return self._add(number, record, "new")

    def _record(self, point: Point, key: str, ending: Ending) -> Record:
        p20, p50, p80 = ending.times
        return Record(
            self._setting,
            point,
            key,
            ending.outcome,
            self._measured,
            p20,
            p50,
            p80,
            each=ending.each if len(ending.each) > 1 else (),
            repetitions=ending.repetitions,
            error=ending.error,
            cause=ending.cause,
            closed="" if self._log is None else self._closed(point),
        )

    def _copy(self, number: int, point: Point, known: Trial, origin: Origin) -> Trial:
        """The trial of another point with the same program."""
        record = replace(
            known.record,
            setting=self._setting,
            point=point,
            seconds={},
            closed="" if self._log is None else self._closed(point),
        )
        return self._add(number, record, origin, known.estimate)

    def _add(
        self,
        number: int,
        record: Record,
        origin: Origin,
        estimate: float | None = None,
        samples: tuple[tuple[float, ...], ...] = (),
    ) -> Trial:
        if self._log is not None:
            self._own |= {record.closed} - {""}
            record = self._log.record(record, number, origin, estimate, samples)
        trial = Trial(number, record, origin, estimate)
        if record.program and record.cause == "candidate":
            self._ended.setdefault(record.program, trial)
        return trial
