"""A Dask scheduler and workers as processes of their own, to be killed by tests."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import distributed

from support.paths import ROOT, TESTS


@dataclass
class DaskProcesses:
    """A scheduler, its workers, and the folder of their files."""

    folder: Path
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(
        self, *, gpu: bool = False, threads: int = 1, path: Path | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a worker; `path` is put before its import path."""
        arguments = [self.address, "--nthreads", str(threads), "--no-nanny"]
        arguments += ["--no-dashboard", "--local-directory", str(self.folder)]
        if gpu:
            arguments += ["--resources", "GPU=1"]
        process = start_dask("worker", *arguments, folder=self.folder, path=path)
        self.workers.append(process)
        return process

    def wait(self) -> str:
        """Wait until all workers have joined; returns the scheduler's address."""
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=120.0)
        return self.address


def start_dask(
    command: str, *arguments: str, folder: Path, path: Path | None = None
) -> subprocess.Popen[bytes]:
    imports = [str(one) for one in (path, ROOT, TESTS) if one is not None]
    with (folder / "dask.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", command, *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(imports)},
            stdout=log,
            stderr=log,
            cwd=folder,
        )


@contextlib.contextmanager
def dask_processes(folder: Path) -> Iterator[DaskProcesses]:
    """A scheduler without workers; everything is killed at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    scheduler = start_dask("scheduler", *arguments, folder=folder)
    found = DaskProcesses(folder, f"tcp://127.0.0.1:{port}", scheduler)
    try:
        _wait_for(port)
        yield found
    finally:
        for process in (scheduler, *found.workers):
            process.kill()
            process.wait()


def _wait_for(port: int, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        time.sleep(0.1)
    raise TimeoutError("the scheduler does not start")
