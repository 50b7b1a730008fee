"""Worker processes: spawned with a new Python interpreter, or forked from this process.

(`fork_server.py` has a third kind: forks of a process that has loaded torch.) A
*spawned* worker may load torch and use a device. A *forked* worker has the parent's
data, such as the parsed payload and schedule, so it starts in milliseconds and needs
only the points; it must not use a device. Both lead a session of their own, so that
Ctrl-C reaches only the parent and killing the group ends the tools they started. Both
end when their parent does, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tilewright.tuning.workers.worker_main import (
    die_with,
    end_tools_with_worker,
    lower_priority,
    prefer_for_oom_kill,
    report_crashes,
    serve,
)


class Process(Protocol):
    """A child process."""

    pid: int

    def wait(self, timeout: float) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        ...


def start_python(
    module: str,
    arguments: list[str],
    kept: int,
    log: int,
    environment: Mapping[str, str] | None = None,
) -> Spawned:
    """Run a module in a new Python interpreter, which gets the descriptor `kept`.

    It has the variables of this process, and those of `environment`.
    """
    return Spawned(
        subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            pass_fds=(kept,),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**_environment(), **(environment or {})},
        )
    )


def spawned_worker(
    pipe: Any, log: int, preload: str, environment: Mapping[str, str]
) -> Spawned:
    """A worker in a new interpreter; `preload` names what it loads first."""
    return start_python(
        "tilewright.tuning.workers.worker_main",
        [str(pipe.fileno()), str(os.getpid()), preload],
        pipe.fileno(),
        log,
        environment,
    )


class Spawned:
    """A process with a new Python interpreter."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self.pid = popen.pid

    def wait(self, timeout: float) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        try:
            return self._popen.wait(timeout)
        except subprocess.TimeoutExpired:
            return None


class Forked:
    """A worker that is a fork of this process."""

    def __init__(
        self, pipe: Any, log: int, setup: Callable[[], None], memory: int | None
    ) -> None:
        """Fork this process; `memory` is the bytes that the fork may allocate."""
        parent = os.getpid()
        self._status: int | None = None
        with warnings.catch_warnings():
            # A progress bar may have a thread here; the child does not use the bar.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            _serve_forked(pipe, log, setup, memory, parent)

    def wait(self, timeout: float) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        until = time.monotonic() + timeout
        while self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                self._status = 0
                break
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                return None
            else:
                time.sleep(0.002)
        return self._status


def _serve_forked(
    pipe: Any,
    log: int,
    setup: Callable[[], None],
    memory: int | None,
    parent: int,
) -> None:
    """Serve jobs and exit: the code of the parent must not continue in the fork."""
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        report_crashes()
        die_with(parent)
        prefer_for_oom_kill()
        lower_priority()
        end_tools_with_worker()
        if memory is not None:
            limit_memory(memory)
        setup()
        serve(pipe)
    finally:
        os._exit(0)


def limit_memory(extra: int) -> None:
    """Make allocations raise MemoryError before the machine runs out of memory."""
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + extra
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def end(process: Process) -> None:
    """Kill a worker and the tools it started, and wait for the worker's end."""
    kill(process)
    if process.pid:
        process.wait(10.0)


def kill(process: Process) -> None:
    """Kill a worker and the tools it started."""
    if not process.pid:  # it has not told its id yet
        return
    for send in (os.killpg, os.kill):
        # A fork that has no session of its own yet is not a process group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            send(process.pid, signal.SIGKILL)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def import_path() -> str:
    """A PYTHONPATH by which a child process imports what this one does."""
    return os.pathsep.join(dict.fromkeys(map(os.path.abspath, sys.path)))


def _environment() -> dict[str, str]:
    """The parent's environment, with the parent's import path."""
    environment = dict(os.environ)
    # Workers compile and launch kernels; they must not run Triton's interpreter.
    environment.pop("TRITON_INTERPRET", None)
    environment["PYTHONPATH"] = import_path()
    return environment
