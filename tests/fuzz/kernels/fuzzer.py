"""The loop: draws pairs until the time is up, shrinks findings, counts refusals."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random

from fuzz.kernels.cases import random_kernel_case
from fuzz.kernels.pairs import (
    Pair,
    Question,
    check_kernel,
    check_source,
    draw_pair,
    lowered,
    questions,
    settled,
)
from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Finding
from fuzz.shrinking import Reproducer, usable
from fuzz.timed_seeds import timed_seeds
from tilewright.codegen.runtime.interpret import Job, interpret_each
from tilewright.ir.errors import UserError
from tilewright.pipeline import Built

MOST_WORK = 600
"""Most loads and stores of a program that Triton's interpreter runs."""


@dataclass(frozen=True)
class Accepted:
    """A pair that is correct at the kernel level, and the questions it was asked."""

    pair: Pair
    made: Built
    asked: Sequence[Question]

    def job(self, question: Question) -> Job:
        return Job(self.made.program, question.inputs)

    @property
    def work(self) -> int:
        """The approximate number of accesses of a run."""
        return sum(
            kernel.programs * sum(access.count for access in kernel.accesses)
            for kernel in self.made.program.kernels
        )


@dataclass
class Statistics:
    """Counters of a fuzzing run."""

    drawn: int = 0
    refused: int = 0
    right: int = 0
    """At the kernel level."""
    interpreted: int = 0
    """Runs in Triton's interpreter."""
    compiled: int = 0
    findings: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Reasons why pairs or their attributes were refused, without numbers and names."""
    sources: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def __str__(self) -> str:
        return (
            f"{self.drawn} pairs, {self.refused} refused, {self.right} right at the "
            f"kernel level, {self.interpreted} runs in Triton's interpreter, "
            f"{self.compiled} compiled, {self.findings} findings"
        )

    def table(self) -> str:
        """Refusals by reason, and outcomes by source of the payload."""
        lines = [f"{n:6} {reason}" for reason, n in self.reasons.most_common()]
        lines += [f"{n:6} {a}: {b}" for (a, b), n in sorted(self.sources.items())]
        return "\n".join(lines)


@dataclass
class KernelFuzzer:
    """Tries the pairs from `seed` on, for some seconds or up to a number of pairs."""

    seed: int
    seconds: float
    pairs: int | None = None
    batch: int = 40
    """Programs that Triton's interpreter runs in one process."""
    compiled: int = 2
    """Programs of a batch that are compiled for the H200."""
    tell: Callable[[str], None] = lambda text: None
    found: Callable[[Reproducer], None] = lambda found: None
    accepted: Callable[[Accepted], None] = lambda accepted: None
    draw_case: Callable[[Random], Case] = random_kernel_case
    statistics: Statistics = field(default_factory=Statistics)

    def run(self) -> None:
        """Until the time is up, or the pairs are done."""
        self._waiting: list[Accepted] = []
        self._seen: set[tuple[str, str]] = set()
        given = self.seed, self.pairs, self.seconds, self.tell, self.statistics
        for seed in timed_seeds(*given):
            with redirect_stderr(StringIO()):  # remarks
                self.pair(seed)
            if len(self._waiting) >= self.batch:
                self._flush()
        self._flush()
        self.tell(f"done: {self.statistics}")
        self.tell(self.statistics.table())

    def pair(self, seed: int) -> None:
        """Draw, lower, and run at the kernel level."""
        self.statistics.drawn += 1
        pair = Pair(seed, self.draw_case(Random(seed)), ())
        try:
            pair = draw_pair(seed, self.draw_case)
            pair, made, refusals = settled(pair)
            self.statistics.reasons.update(map(reason, refusals))
            if isinstance(made, UserError):
                self.statistics.refused += 1
                self.statistics.sources[pair.case.name, "refused"] += 1
                return
            asked = check_kernel(pair, made, questions(pair))
        except Finding as finding:
            self._report(finding, pair)
            return
        self.statistics.right += 1
        self.statistics.sources[pair.case.name, "right"] += 1
        accepted = Accepted(pair, made, asked)
        self.accepted(accepted)
        self._waiting.append(accepted)

    def _flush(self) -> None:
        """Run waiting programs in Triton's interpreter, and compile some of them."""
        waiting, self._waiting = self._waiting, []
        runs = [
            (each, question)
            for each in waiting
            if each.work <= MOST_WORK
            for question in each.asked
        ]
        outcomes = interpret_each([each.job(question) for each, question in runs], 300)
        for (each, question), outcome in zip(runs, outcomes, strict=True):
            self.statistics.interpreted += 1
            try:
                check_source(each.pair, each.made, question, outcome)
            except Finding as finding:
                self._report(finding, each.pair)
        for each, why in compile_some(waiting[: self.compiled]):
            self.statistics.compiled += 1
            if why is not None:
                text = f"{why}\n{each.made.program.text}"
                self._report(Finding("does not compile", "compile", text), each.pair)

    def _report(self, finding: Finding, pair: Pair) -> None:
        self.statistics.findings += 1
        self.statistics.sources[pair.case.name, "wrong"] += 1
        key = (finding.kind, finding.detail[-60:])
        if key not in self._seen:
            self._seen.add(key)
            self.found(shrunk(finding, pair))


def reason(error: UserError) -> str:
    """The fact of an error, without details that differ from case to case."""
    fact = re.sub(r"\d+(x\d+)*", "N", error.fact)
    fact = re.sub(r"'[%\w.]+'", lambda m: m[0] if "." in m[0] else "'_'", fact)
    return re.sub(r"\(.*?\)|\[.*?\]|<.*?>", "_", fact)[:110]


def look(pair: Pair, verb: str) -> Finding | None:
    """The finding of a pair, if any; runs Triton's interpreter if `verb` needs it."""
    try:
        made = lowered(pair)
        if isinstance(made, UserError):
            return None
        asked = check_kernel(pair, made, questions(pair))
        if verb == "source":
            outcomes = interpret_each([Job(made.program, q.inputs) for q in asked], 60)
            for question, outcome in zip(asked, outcomes, strict=True):
                check_source(pair, made, question, outcome)
        if verb == "compile":
            ((_, why),) = compile_some([Accepted(pair, made, asked)])
            if why is not None:
                return Finding("does not compile", "compile", why)
    except Finding as finding:
        return finding
    return None


def shrunk(finding: Finding, pair: Pair) -> Reproducer:
    """The same finding with fewer lines: leave out one line after the other."""
    best, lines = finding, pair.lines
    again = look(Pair(pair.seed, pair.case, ()), finding.verb)
    if again is not None and again.key == finding.key:
        return Reproducer(again, pair.case, (), pair.seed)
    for line in reversed(pair.lines):
        fewer = usable([other for other in lines if other is not line])
        again = look(Pair(pair.seed, pair.case, fewer), finding.verb)
        if again is not None and again.key == finding.key:
            best, lines = again, fewer
    return Reproducer(best, pair.case, lines, pair.seed)


def compile_some(
    chosen: Sequence[Accepted],
) -> list[tuple[Accepted, str | None]]:
    """Compile for the H200 in a process of its own; return the error, or None."""
    from tilewright.codegen.targets import target_named
    from tilewright.tuning.workers.jobs import CompileJob
    from tilewright.tuning.workers.pools import wait
    from tilewright.tuning.workers.worker_pool import ProcessPool

    if not chosen:
        return []
    outcomes: list[tuple[Accepted, str | None]] = []
    with (
        tempfile.TemporaryDirectory(prefix="tilewright-fuzz-") as name,
        ProcessPool(1, "compile", limit=120.0) as pool,
    ):
        target = target_named("h200")
        tickets = {
            pool.submit(CompileJob(each.made.program, target, Path(name))): each
            for each in chosen
        }
        while pool.pending:
            for done in wait([pool], 120.0):
                why = None if done.ending == "ok" else f"{done.ending}: {done.error}"
                outcomes.append((tickets[done.ticket], why))
    return outcomes
