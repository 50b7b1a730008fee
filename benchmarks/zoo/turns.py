"""Processes that compile at once and take turns on the GPU."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from zoo.entry import Size

TURN_SECONDS = 60.0
"""So long may a turn on the GPU take."""


@dataclass(frozen=True)
class Task:
    """What a process has to time."""

    name: str
    use: str
    size: Size
    dtype: str


Ended = tuple[Task, dict[str, Any], str]
"""A task, its record and a line about it."""


def timed(tasks: list[Task], jobs: int, compile_seconds: float) -> Iterator[Ended]:
    """A record and a line for each model, `jobs` of them at a time.

    A process that has not compiled after `compile_seconds` is ended.
    """
    for start in range(0, len(tasks), jobs):
        yield from _batch(tasks[start : start + jobs], compile_seconds)


@dataclass
class _Process:
    task: Task
    process: Any
    pipe: Any

    def failed(self, why: str) -> Ended:
        """A record of a process that did not come to its end."""
        return self.task, {"failure": why}, f"FAILED: {why}"

    def answer(self, seconds: float) -> Any:
        """What the process says within some seconds; None if it says nothing."""
        try:
            return self.pipe.recv() if self.pipe.poll(seconds) else None
        except EOFError:
            return None


def _batch(tasks: list[Task], compile_seconds: float) -> Iterator[Ended]:
    started = [_start(task) for task in tasks]
    try:
        waiting, end = {one.pipe: one for one in started}, None
        end = time.monotonic() + compile_seconds
        compiled: list[_Process] = []
        while waiting and (left := end - time.monotonic()) > 0:
            for pipe in wait(list(waiting), left):
                one = waiting.pop(pipe)  # pyright: ignore[reportArgumentType]
                said = one.answer(0.0)
                if said == "ready":
                    compiled.append(one)
                else:
                    yield one.failed(said or "the process ended")
        for one in waiting.values():
            one.process.kill()
            yield one.failed(f"not compiled after {compile_seconds:.0f} s")
        for one in compiled:
            one.pipe.send("go")
            said = one.answer(TURN_SECONDS)
            yield ((one.task, *said) if said else one.failed("the turn took too long"))
            one.process.kill()
    finally:
        for one in started:
            one.process.kill()
            one.process.join()


def _start(task: Task) -> _Process:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(task, theirs), daemon=False)
    process.start()
    theirs.close()
    return _Process(task, process, ours)


def _work(task: Task, pipe: Connection) -> None:
    import torch

    from zoo.packages import library
    from zoo.table import zoo
    from zoo.timing import ready

    library("transformers").logging.set_verbosity_error()
    try:
        made = ready(zoo()[task.name], task.use, task.size, getattr(torch, task.dtype))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {str(error)[:800]}")
        return
    pipe.send("ready")
    pipe.recv()
    try:
        found = made.measured()
    except Exception as error:
        found = made.timed
        found.failure = f"{type(error).__name__}: {str(error)[:800]}"
    pipe.send((found.record(), str(found)))
