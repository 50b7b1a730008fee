"""Processes that plan the payloads of a graph, while this one plans others.

    with planned_ahead(jobs, processes_for(len(jobs))):
        answer_for(key)      # None for a payload that this process should plan

Planning is Python, which one process does on one core. A model of many payloads, such
as one with convolutions between them, is planned by several processes: they begin with
its last payload, this process with its first. A process takes about a second to start,
so few payloads are planned here alone. Where one fails, this process plans its payload.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from queue import SimpleQueue

from tilewright.torch_backend.compiling.planner_process import (
    Answer,
    Failed,
    Job,
)
from tilewright.torch_backend.compiling.stored_programs import (
    StoredProgram,
    StoredRefusal,
)

_log = logging.getLogger("tilewright.torch")

_FEWEST = 4
"""Payloads to plan for which processes are started."""
_MOST_PROCESSES = 8
"""The most processes that plan at once."""
_MODULE = "tilewright.torch_backend.compiling.planner_process"

Planned = Mapping[str, "Future[Answer]"]

_ahead: ContextVar[Planned | None] = ContextVar("planned_ahead", default=None)


def processes_for(payloads: int) -> int:
    """The number of processes that plan so many payloads besides this one."""
    cores = os.cpu_count() or 1
    return min(cores - 1, payloads - 1, _MOST_PROCESSES) if payloads >= _FEWEST else 0


@contextmanager
def planned_ahead(jobs: Mapping[str, Job], processes: int) -> Iterator[None]:
    """Plan jobs, given by key, in other processes until the block ends."""
    planners = _started(processes)
    if not planners:
        yield
        return
    idle: SimpleQueue[_Planner] = SimpleQueue()
    for planner in planners:
        idle.put(planner)

    def plan(job: Job) -> Answer:
        planner = idle.get()
        try:
            return planner.answer(job)
        finally:
            idle.put(planner)

    with ThreadPoolExecutor(len(planners), "tilewright-plan") as executor:
        futures = {
            key: executor.submit(plan, job) for key, job in reversed(list(jobs.items()))
        }
        token = _ahead.set(futures)
        try:
            yield
        finally:
            _ahead.reset(token)
            for future in futures.values():
                future.cancel()
            for planner in planners:
                planner.end()


def answer_for(key: str) -> StoredProgram | StoredRefusal | None:
    """What another process has planned; None where this one should plan."""
    future = (_ahead.get() or {}).get(key)
    if future is None or future.cancel():
        return None
    try:
        # The time to wait for an answer before the payload is planned here.
        answer = future.result(120.0)
    except Exception as error:
        answer = Failed(repr(error))
    if isinstance(answer, Failed):
        _log.info("planned here, since a process failed: %s", answer.error)
        return None
    return answer


class _Planner:
    """A process that answers one job after the other."""

    def __init__(self) -> None:
        paths = dict.fromkeys(os.path.abspath(path) for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"import {_MODULE} as it; it.main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for this process
        )

    def answer(self, job: Job) -> Answer:
        """Wait for the answer to a job; raises where the process has ended."""
        jobs, answers = self._process.stdin, self._process.stdout
        assert jobs is not None and answers is not None
        pickle.dump(job, jobs)
        jobs.flush()
        return pickle.load(answers)

    def end(self) -> None:
        """End the process; a job that it still has is not needed."""
        self._process.kill()
        self._process.wait()


def _started(count: int) -> Sequence[_Planner]:
    """New processes; fewer where the system refuses more."""
    made: list[_Planner] = []
    with suppress(OSError):
        for _ in range(count):
            made.append(_Planner())
    return made
