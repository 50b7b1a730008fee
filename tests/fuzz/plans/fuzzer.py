"""Random payloads under their planned schedules, at the defaults and at other points.

The planner must plan every payload. A planned schedule must build at its defaults and
compute the payload's numbers there, and at any other point that is not refused. Where
the defaults are refused, `compile` plans again, at last with one kernel an op. A
payload that this refuses is a finding, unless a documented limit is the reason.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random

from fuzz.kernels.cases import random_kernel_case
from fuzz.kernels.fuzzer import Accepted, reason
from fuzz.kernels.pairs import Pair, Question, check_kernel, check_source, questions
from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Finding
from fuzz.schedules.session import time_limit
from fuzz.timed_seeds import timed_seeds
from tilewright.codegen.runtime.interpret import interpret_each
from tilewright.codegen.targets import Target, target_named
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.pipeline import Built, Point, build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.planning.plan import Plan, plan
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.covering import Covering
from tilewright.tuning.space.read import read_space

LIMITS = ("stands outside of any grid", "a kernel cannot reduce")
"""Refusals of payloads that are documented (docs/codegen.md, "What is refused")."""
MOST_WORK = 600
"""Most loads and stores of a program that Triton's interpreter runs."""


@dataclass(frozen=True)
class Found:
    """A finding: the payload, its plan if there is one, and the point."""

    seed: int
    case: Case
    finding: Finding
    text: str
    point: Point

    def report(self) -> str:
        """A text with everything that is needed to reproduce the finding."""
        shapes = [list(map(list, shapes)) for shapes in self.case.questions]
        pairs = " ".join(f"--set {name}={value}" for name, value in self.point.items())
        return (
            f"=== finding: {self.finding} in a payload of kind '{self.case.name}', "
            f"seed {self.seed}\n--- arguments: {shapes}\n"
            f"--- payload.mlir\n{self.case.text}--- schedule.tw\n{self.text}"
            f"--- point: {pairs or 'the defaults'}\n"
            f"--- detail\n{self.finding.detail[-4000:]}\n==="
        )

    def keep(self, folder: Path | None) -> None:
        """Print the finding, and leave its files in a folder."""
        print(self.report(), flush=True)
        if folder is not None:
            into = folder / f"seed_{self.seed}"
            into.mkdir(parents=True, exist_ok=True)
            (into / "payload.mlir").write_text(self.case.text)
            (into / "schedule.tw").write_text(self.text)
            (into / "report.txt").write_text(self.report())


@dataclass
class Statistics:
    """Counters of a fuzzing run."""

    payloads: int = 0
    unplanned: int = 0
    """Payloads that are left to the default."""
    beyond_limits: int = 0
    """Payloads that every schedule refuses, because of a documented limit."""
    recovered: int = 0
    """Payloads whose defaults were refused, and which `compile` planned again."""
    points: int = 0
    """Points with the right numbers, the defaults among them."""
    refused: int = 0
    """Points that are refused."""
    interpreted: int = 0
    findings: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    sketches: Counter[str] = field(default_factory=Counter[str])

    def __str__(self) -> str:
        return (
            f"{self.payloads} payloads, {self.unplanned} left to the default, "
            f"{self.beyond_limits} beyond a limit, {self.recovered} planned again, "
            f"{self.points} points right, "
            f"{self.refused} refused, {self.interpreted} runs in Triton's interpreter, "
            f"{self.findings} findings"
        )

    def table(self) -> str:
        """The sketches that were tried, and the refusals by reason."""
        lines = [f"{n:6} {label}" for label, n in self.sketches.most_common()]
        lines += [f"{n:6} {why}" for why, n in self.reasons.most_common()]
        return "\n".join(lines)


@dataclass
class PlanFuzzer:
    """Tries the payloads from `seed` on, for some seconds or up to a number."""

    seed: int
    seconds: float
    payloads: int | None = None
    points: int = 3
    """Points of each plan, besides its defaults."""
    batch: int = 40
    """Programs that Triton's interpreter runs in one process; 0 runs none."""
    target: Target = field(default_factory=lambda: target_named("h200"))
    tell: Callable[[str], None] = lambda text: None
    found: Callable[[Found], None] = lambda found: None
    statistics: Statistics = field(default_factory=Statistics)

    def run(self) -> None:
        """Until the time is up, or the payloads are done."""
        self._waiting: list[tuple[Accepted, Found]] = []
        given = self.seed, self.payloads, self.seconds, self.tell, self.statistics
        for seed in timed_seeds(*given):
            with redirect_stderr(StringIO()):  # remarks
                self.payload(seed)
            if self.batch and len(self._waiting) >= self.batch:
                self._flush()
        if self.batch:
            self._flush()
        self.tell(f"done: {self.statistics}")
        self.tell(self.statistics.table())

    def payload(self, seed: int) -> None:
        """Plan one payload, and check it at a few points."""
        self.statistics.payloads += 1
        pair = Pair(seed, random_kernel_case(Random(seed)), ())
        text, point = "", dict[str, int | float | bool | str]()
        try:
            made = _planned(pair.case, self.target)
            text = made.text
            labels = [c.sketch.label for k in made.kernels for c in k.candidates]
            self.statistics.sketches.update(labels)
            self.statistics.unplanned += not labels
            asked = questions(pair)
            for point in ({}, *islice(_points(made.schedule), self.points)):
                self._point(pair, made, point, asked)
        except Finding as finding:
            self._report(Found(seed, pair.case, finding, text, point))

    def _point(
        self, pair: Pair, made: Plan, point: Point, asked: Sequence[Question]
    ) -> None:
        try:
            built = _built(pair.case, made.schedule, point)
        except SilenceableFailure as error:
            if not point:
                self._check_recovery(pair, asked, error)
            self.statistics.refused += 1
            self.statistics.reasons[reason(error)] += 1
            return
        taken = check_kernel(pair, built, asked)
        self.statistics.points += 1
        if self.batch and (not point or pair.seed % 4 == 0):
            shown = Found(pair.seed, pair.case, Finding("", "", ""), made.text, point)
            self._waiting.append((Accepted(pair, built, taken), shown))

    def _check_recovery(
        self, pair: Pair, asked: Sequence[Question], refusal: UserError
    ) -> None:
        """Where defaults are refused, `compile` plans again and is right."""
        case = pair.case
        payload = parse_payload(case.text, "payload.mlir")
        try:
            done = build_planned(
                payload, self.target, lambda schedule: _built(case, schedule, {})
            )
        except SilenceableFailure as error:
            if not any(words in error.fact for words in LIMITS):
                detail = f"{refusal}\nand at last:\n{error}"
                raise Finding("refused for good", "plan", detail) from error
            self.statistics.beyond_limits += 1
        else:
            check_kernel(pair, done.built, asked)
            self.statistics.recovered += 1

    def _flush(self) -> None:
        """Run waiting programs in Triton's interpreter."""
        waiting, self._waiting = self._waiting, []
        runs = [
            (each, question, shown)
            for each, shown in waiting
            if each.work <= MOST_WORK
            for question in each.asked
        ]
        jobs = [each.job(question) for each, question, _ in runs]
        for (each, question, shown), outcome in zip(
            runs, interpret_each(jobs, 300), strict=True
        ):
            self.statistics.interpreted += 1
            try:
                check_source(each.pair, each.made, question, outcome)
            except Finding as finding:
                self._report(
                    Found(shown.seed, shown.case, finding, shown.text, shown.point)
                )

    def _report(self, found: Found) -> None:
        self.statistics.findings += 1
        self.found(found)


def _planned(case: Case, target: Target) -> Plan:
    """The plan; any exception is a finding."""
    text = ""
    try:
        with time_limit():
            made = plan(parse_payload(case.text, "payload.mlir"), target)
            text = made.text
            made.schedule.defaults({})
    except Exception as error:
        detail = f"{text}\n{traceback.format_exc()}"
        raise Finding(f"raised {type(error).__name__}", "plan", detail) from error
    return made


def _points(schedule: Schedule) -> Iterator[Point]:
    """Points that together try every option, as far as one goes on."""
    covering = Covering(read_space(schedule.module))
    while (point := covering.next_point()) is not None:
        yield point
        covering.tell(point, works=True)


def _built(case: Case, schedule: Schedule, point: Point) -> Built:
    """The program; raises `SilenceableFailure` if refused, else a finding."""
    try:
        with time_limit():
            payload = parse_payload(case.text, "payload.mlir")
            made = build(payload, schedule, point, shapes=case.questions[:1])
            compile(made.program.text, "program.py", "exec")
    except SilenceableFailure:
        raise
    except Exception as error:
        kind = f"raised {type(error).__name__}"
        raise Finding(kind, "build", traceback.format_exc()) from error
    return made
