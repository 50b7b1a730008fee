"""The jobs on a Dask worker: they run in processes of our own below the worker.

A candidate may crash, hang, or leave the card unusable. That ends our process, not
Dask's: time limits and causes of failures are those of a run on one machine. A thread
of the worker owns the processes, because Linux ends them with the thread that started
them; Dask's threads hand over their job and wait.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from multiprocessing import connection as connections
from pathlib import Path
from typing import Any

from tilewright.tuning.cluster.card_turns import CardTurns
from tilewright.tuning.cluster.portable_jobs import (
    PortableJob,
    SentFile,
    write_files,
)
from tilewright.tuning.workers.fork_server import ForkServer
from tilewright.tuning.workers.pools import Finished
from tilewright.tuning.workers.worker_pool import ProcessPool

IDLE_SECONDS = 120.0
"""Seconds without a job after which the processes end: their run was killed, or needs
this worker no more. A later job starts them again."""

_JOBS = {"measure": 20_000}
"""Jobs of one process: a new one would load torch and the reference again."""

_runners: dict[tuple[str, str], JobRunner] = {}
"""The runners of this worker, by run and by what their processes load."""
_lock = threading.Lock()
_turns = CardTurns()


def run_job(
    run: str,
    preload: str,
    processes: int,
    on_card: bool,
    job: PortableJob,
    large: Mapping[SentFile, bytes],
    limit: float,
) -> Finished:
    """Run a job on this Dask worker; `large` are files that it does not have yet."""
    from distributed import get_worker

    folder = _folder(get_worker().local_directory, run)
    write_files(large, folder)
    with _turns.of(run) if on_card else contextlib.nullcontext():
        with _lock:
            runner = _runners.get((run, preload))
            if runner is None or runner.ended:
                runner = _runners[run, preload] = JobRunner(preload, processes, folder)
            result = runner.submit(replace(job, folder=folder), limit)
        done = result.result()
    # The job stays here: the answer alone goes back.
    return replace(done, job=None)  # type: ignore[arg-type]


def release(run: str, dask_worker: Any) -> None:
    """End the processes of a run on this worker, and remove its files."""
    with _lock:
        for key in [key for key in _runners if key[0] == run]:
            _runners.pop(key).close()
    shutil.rmtree(_folder(dask_worker.local_directory, run), ignore_errors=True)


def _folder(local_directory: str, run: str) -> Path:
    """The files of a run; Dask removes the folder around it when a worker is gone."""
    folder = Path(local_directory) / f"tilewright-{run}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


class JobRunner:
    """Processes below this Dask worker, and the thread that owns them."""

    def __init__(self, preload: str, processes: int, folder: Path) -> None:
        """Start the thread; `preload` names what the processes load first."""
        self._preload = preload
        self._processes = processes
        self._folder = folder
        self._queue: deque[tuple[PortableJob, float, Future[Finished]]] = deque()
        self._waiting: dict[int, Future[Finished]] = {}
        self._read, self._write = connections.Pipe(duplex=False)
        self._closing = False
        self.ended = False
        """Whether the thread takes no more jobs."""
        threading.Thread(target=self._serve, daemon=True).start()

    def submit(self, job: PortableJob, limit: float) -> Future[Finished]:
        """Hand a job to the processes; call it under the lock of this module."""
        result: Future[Finished] = Future()
        self._queue.append((job, limit, result))
        self._write.send_bytes(b".")
        return result

    def close(self) -> None:
        """End the processes; their jobs fail."""
        self._closing = True
        self._write.send_bytes(b".")

    def _serve(self) -> None:
        error: BaseException = RuntimeError("the tuning run has ended")
        try:
            with contextlib.ExitStack() as stack:
                self._loop(stack.enter_context(self._pool(stack)))
        except BaseException as raised:  # noqa: BLE001 - the waiting threads raise it
            error = raised
        with _lock:
            self.ended = True
        for result in [*self._waiting.values(), *(r for *_, r in self._queue)]:
            result.set_exception(error)

    def _pool(self, stack: contextlib.ExitStack) -> ProcessPool:
        """The processes; several compilers are forks of one that loads torch."""
        jobs = _JOBS.get(self._preload, 500)
        if self._preload != "compile" or self._processes == 1:
            return ProcessPool(
                self._processes, self._preload, limit=60.0, jobs_per_worker=jobs
            )
        server = stack.enter_context(ForkServer(self._preload))
        return ProcessPool(
            self._processes, "", limit=60.0, jobs_per_worker=jobs, server=server
        )

    def _loop(self, pool: ProcessPool) -> None:
        busy = time.monotonic()
        while not self._closing:
            now = time.monotonic()
            deadline = pool.next_deadline() or now + IDLE_SECONDS
            pipes = [self._read, *pool.connections()]
            ready = connections.wait(pipes, max(0.0, deadline - now) + 0.01)
            if self._read in ready:
                self._read.recv_bytes()
            while self._queue:
                job, limit, result = self._queue.popleft()
                self._waiting[pool.submit(job, limit)] = result
            for done in pool.collect():
                self._waiting.pop(done.ticket).set_result(done)
            if self._waiting:
                busy = time.monotonic()
            elif time.monotonic() - busy > IDLE_SECONDS:
                with _lock:
                    if not self._queue:
                        self._end_idle()
                        return

    def _end_idle(self) -> None:
        """Take no more jobs; the last runner of a run removes the files."""
        self.ended = True
        if all(one.ended for one in _runners.values() if one._folder == self._folder):
            shutil.rmtree(self._folder, ignore_errors=True)
