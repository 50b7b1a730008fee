"""The loop: draws programs until the time is up, shrinks findings, keeps statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from random import Random

from fuzz.schedules.cases import WITH_CHAINS, Case, random_case
from fuzz.schedules.checks import Finding
from fuzz.schedules.drawing import Draw
from fuzz.schedules.mlir_sample import MlirSample
from fuzz.schedules.session import Line, Session, schedule_text
from fuzz.schedules.steps.table import (
    BUFFERS,
    CHAINS,
    TENSORS,
    VECTORS,
    draw_step,
    one_shot_bufferize,
)
from fuzz.shrinking import Reproducer, shrunk
from fuzz.timed_seeds import timed_seeds
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

LARGEST_PROGRAM = 500
"""Most ops of a payload; unrolled programs are slow to check and show nothing new."""


@dataclass
class Statistics:
    """Counters of a fuzzing run."""

    programs: int = 0
    lines: int = 0
    steps: int = 0
    """Lines that changed payload."""
    refusals: int = 0
    findings: int = 0
    read_by_mlir: int = 0
    verbs: Counter[str] = field(default_factory=Counter[str])
    """How often each op changed payload."""

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.lines} lines, {self.steps} steps that "
            f"changed payload, {self.refusals} refusals, {self.read_by_mlir} dumps "
            f"read by mlir-opt-22, {self.findings} findings"
        )

    def table(self) -> str:
        """How often each op changed payload, a line each."""
        return "\n".join(f"{n:7} {verb}" for verb, n in self.verbs.most_common())


@dataclass
class Fuzzer:
    """Programs from `seed` on, for some seconds or some programs."""

    seed: int
    seconds: float
    programs: int | None = None
    draw_case: Callable[[Random], Case] = random_case
    mlir: bool = True
    tell: Callable[[str], None] = lambda text: None
    found: Callable[[Reproducer], None] = lambda found: None
    statistics: Statistics = field(default_factory=Statistics)

    def run(self) -> None:
        """Until the time is up, or the programs are done."""
        self.sample = MlirSample() if self.mlir else None
        self._seen: set[tuple[str, str, str]] = set()
        given = self.seed, self.programs, self.seconds, self.tell, self.statistics
        for seed in timed_seeds(*given, every=20.0):
            with redirect_stderr(StringIO()):  # remarks
                self.program(seed)
        self._flush()
        self.tell(f"done: {self.statistics}")
        self.tell(self.statistics.table())

    def program(self, seed: int) -> None:
        """One payload under one schedule."""
        random = Random(seed)
        session = _Counted(self.draw_case(random), self.statistics)
        self.statistics.programs += 1
        try:
            self._schedule(session, Draw(session, random), seed)
            _check_whole(session)
        except Finding as finding:
            lines = tuple(session.tried)
            self._report(shrunk(Reproducer(finding, session.case, lines, seed)))
            return
        if self.sample is not None:
            self.sample.keep(session, seed)
            if self.sample.is_full:
                self._flush()

    def _schedule(self, session: _Counted, draw: Draw, seed: int) -> None:
        """A few steps on tensors, perhaps some on vectors, perhaps some on buffers."""
        random = draw.random
        has_chain = session.case.name in WITH_CHAINS
        phases = [(CHAINS if has_chain else TENSORS, random.randint(1, 6))]
        if random.random() < 0.7:
            phases.append((VECTORS, random.randint(1, 7)))
        if random.random() < 0.6:
            phases.append(({one_shot_bufferize: 1}, 1))
            phases.append((BUFFERS, random.randint(0, 5)))
        for table, steps in phases:
            for _ in range(steps):
                if session.is_over or session.size() > LARGEST_PROGRAM:
                    return
                draw_step(draw, table)
                if self.sample is not None and random.random() < 0.1:
                    self.sample.keep(session, seed)

    def _flush(self) -> None:
        if self.sample is not None:
            for found in self.sample.flush():
                self._report(found)
            self.statistics.read_by_mlir = self.sample.read

    def _report(self, found: Reproducer) -> None:
        self.statistics.findings += 1
        key = (*found.finding.key, found.finding.detail[-60:])
        if key not in self._seen:
            self._seen.add(key)
            self.found(found)


class _Counted(Session):
    """A session that counts its steps and keeps the lines it tried."""

    def __init__(self, case, statistics: Statistics):  # noqa: ANN001
        self.statistics = statistics
        self.tried: list[Line] = []
        super().__init__(case)

    def size(self) -> int:
        return sum(1 for _ in self.module.walk())

    def do(self, line: Line) -> bool:
        self.statistics.lines += 1
        steps, refusals = self.checks.steps, self.refusals
        self.tried = [*self.lines, line]
        done = super().do(line)
        self.tried = self.lines
        self.statistics.refusals += self.refusals - refusals
        if self.checks.steps > steps:
            self.statistics.steps += 1
            self.statistics.verbs[line.verb] += 1
        return done


def _check_whole(session: Session) -> None:
    """Check that all lines as one schedule give the same as one by one."""
    if session.is_over:
        return
    module = parse_module(session.case.text, "payload.mlir", schedule_context())
    text = schedule_text(session.lines)
    try:
        run_schedule(parse_module(text, "schedule.mlir", schedule_context()), module)
    except UserError as error:
        raise Finding("the whole is refused", "schedule", str(error)) from error
    if (whole := to_text(module)) != session.checks.text:
        raise Finding("the whole gives another program", "schedule", whole)
