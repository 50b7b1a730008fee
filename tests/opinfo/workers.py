"""A run in several processes, which share a GPU.

A process that hangs, dies or has lost its GPU to a wrong access ends alone: the call
that it was at is counted, and a new process takes the next task.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from opinfo.check import Verdict
from opinfo.runs import (
    Checker,
    Quota,
    Row,
    Selection,
    Task,
    tell_progress,
)
from opinfo.tally import Tally

_START_SECONDS = 120.0
"""The time that a process may take to import torch's samples and reach the GPU."""
_END_SECONDS = 10.0
"""The time that it may take to end."""
_READY, _DONE = "ready", "done"


@dataclass
class Workers:
    """Processes that take tasks from one queue."""

    selection: Selection
    processes: int
    call_seconds: float = 30.0
    """The time that one call may take."""
    seconds: float | None = None
    """The time that all may take."""
    tell: Callable[[str], None] = lambda line: None
    _tally: Tally = field(default_factory=Tally)
    _lock: Lock = field(default_factory=Lock)
    _quota: Quota = field(init=False)

    def run(self) -> Tally:
        """Check everything, or what the time suffices for."""
        self._quota = Quota(self.selection.calls_of_op)
        tasks = self.selection.tasks()
        waiting: SimpleQueue[tuple[int, Task]] = SimpleQueue()
        for number, task in enumerate(tasks, start=1):
            waiting.put((number, task))
        start = time.perf_counter()
        until = float("inf") if self.seconds is None else start + self.seconds

        def serve() -> None:
            worker: _Worker | None = None
            while True:
                try:
                    number, task = waiting.get_nowait()
                except Empty:
                    break
                if time.perf_counter() >= until:
                    self._leave_out(task)
                    continue
                if worker is None or not worker.is_alive:
                    worker = _Worker(self.selection)
                self._check(worker, task, until)
                tell_progress(self.tell, number, tasks, start)
            if worker is not None:
                worker.close()

        threads = [Thread(target=serve) for _ in range(self.processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self._tally

    def _check(self, worker: _Worker, task: Task, until: float) -> None:
        """Count the rows of a task; end a worker that hangs."""
        running, is_told = "", False
        try:
            worker.send(task)
            while True:
                wait = self.call_seconds if worker.is_ready else _START_SECONDS
                left = until - time.perf_counter()
                if not worker.connection.poll(max(min(wait, left), 0.0)):
                    worker.end()
                    if wait <= left:
                        told = Verdict("too slow", f"more than {wait:.0f} s")
                        self._add(Row(running or task.entry, task.entry, told))
                    else:
                        self._leave_out(task)
                    return
                match worker.connection.recv():
                    case Row() as row:
                        self._add(row)
                        running, is_told = "", row.verdict.outcome == "error"
                    case ("may", str(name)):
                        may = self._may(name, task)
                        running = name if may else ""
                        worker.connection.send(may)
                    case str(word) if word == _READY:
                        worker.is_ready = True
                    case _:
                        return
        except (EOFError, OSError):
            worker.end()
            if running or not is_told:
                told = Verdict("error", "the process died")
                self._add(Row(running or task.entry, task.entry, told))

    def _may(self, op: str, task: Task) -> bool:
        with self._lock:
            return self._quota.take(op, task.dtype)

    def _add(self, row: Row) -> None:
        with self._lock:
            self._tally.add(*row)

    def _leave_out(self, task: Task) -> None:
        with self._lock:
            self._tally.left_out.append(f"{task.entry} {task.dtype}")


class _Worker:
    """A process, and the line to it."""

    def __init__(self, selection: Selection):
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_serve, args=(theirs, selection), daemon=True
        )
        self.process.start()
        theirs.close()
        self.is_ready = False

    @property
    def is_alive(self) -> bool:
        return self.process.is_alive() and not self.connection.closed

    def send(self, task: Task) -> None:
        self.connection.send(task)

    def close(self) -> None:
        """Let the process end."""
        self.connection.close()
        self.process.join(_END_SECONDS)
        self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, selection: Selection) -> None:
    """A worker's main function: tasks come in, rows go out."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    checker = Checker(selection)

    def may(op: str) -> bool:
        connection.send(("may", op))
        return connection.recv()

    connection.send(_READY)
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        for row in checker.rows(task, may):
            if not _is_usable(selection.device):
                lost = Verdict("error", f"the GPU is lost; {row.verdict.outcome}")
                connection.send(row._replace(verdict=lost))
                os._exit(1)
            connection.send(row)
        connection.send(_DONE)


def _is_usable(device: str) -> bool:
    """Whether the GPU still answers: after a wrong access, this process has lost it."""
    import torch

    if device == "cpu":
        return True
    try:
        torch.cuda.synchronize()
    except Exception:
        return False
    return True
