"""Compile everything before anything is timed, in processes that need no GPU.

What they compile is found in Triton's cache by the process that times. Each job is
plain data: which row of which table, and which of its kernels. A table is a module with
a function `table` that lists its rows.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from contenders.ours import Ours

TABLE = "contenders.codegen_works.table"


@dataclass(frozen=True)
class HandJob:
    """A hand-written candidate: its place among those of its row."""

    row: str
    title: str
    index: int
    capability: int
    programs: int
    table: str = TABLE

    def run(self) -> Compiled:
        """Compile its kernels, on tensors without storage."""
        from rivals import aot

        aot.compile_only(self.capability)
        row = _rows(self.table)[self.row]
        candidate = list(row.hand(row.inputs("meta"), self.programs))[self.index]
        found = [aot.resources(kernel) for kernel in candidate.compile()]
        return Compiled(
            [_words(r.registers, r.stack_bytes, r.shared_bytes) for r in found]
        )


@dataclass(frozen=True, eq=False)
class OursJob:
    """One of our points."""

    row: str
    ours: Ours
    target: str
    table: str = TABLE

    @property
    def title(self) -> str:
        """Structure and point."""
        return f"ours {self.ours.name} {self.ours.config}"

    def run(self) -> Compiled:
        """Run the schedule on the payload, then compile the kernels it made."""
        from tilewright.codegen.runtime.compile import compile_program
        from tilewright.codegen.runtime.source_cache import source_directory
        from tilewright.codegen.targets import target_named
        from tilewright.pipeline import build, parse_payload

        payload = parse_payload(_rows(self.table)[self.row].payload())
        target = target_named(self.target)
        schedule = self.ours.read(payload, target)
        built = build(payload, schedule, dict(self.ours.point), verify_steps=False)
        stats = compile_program(built.program, target, source_directory())
        return Compiled(
            [_words(s.registers, s.spill_bytes, s.shared_bytes) for s in stats],
            built.program,
        )


Job = HandJob | OursJob


@dataclass(frozen=True)
class Compiled:
    """The outcome of a job: the resources of its kernels, or the error."""

    kernels: list[str] = field(default_factory=list)
    program: Any = None
    error: str = ""

    @property
    def spills(self) -> bool:
        """Whether a kernel has more values than registers."""
        return any("stack 0 " not in words for words in self.kernels)


def _words(registers: int, stack: int, shared: int) -> str:
    return f"registers {registers}, stack {stack} , shared {shared}"


@cache
def _rows(table: str) -> dict[str, Any]:
    return {row.name: row for row in import_module(table).table()}


def _run(job: Job) -> Compiled:
    try:
        return job.run()
    except Exception as error:
        text = str(error).strip()
        # Triton puts the place first and the reason last.
        lines = [line for line in text.splitlines() if line.strip()] or [""]
        shown = lines[0] if isinstance(job, OursJob) else lines[-1]
        return Compiled(error=f"{type(error).__name__}: {shown[:300]}")


class Compiler:
    """A pool of processes, and their results so far."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        """Begin at once."""
        context = multiprocessing.get_context("spawn")
        self.started = time.monotonic()
        self.pool = ProcessPoolExecutor(os.cpu_count(), mp_context=context)
        self.futures: dict[Future[Compiled], Job] = {
            self.pool.submit(_run, job): job for job in dict.fromkeys(jobs)
        }

    def results(self) -> Iterator[tuple[Job, Compiled]]:
        """Each job with its result, as they come."""
        for future in as_completed(self.futures):
            yield self.futures[future], future.result()
        self.pool.shutdown()
