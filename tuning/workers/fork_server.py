"""Workers that are forks of a server process, which has loaded their modules.

A server may start before it is known what it is for: `early_start` starts one while the
command still imports its own modules, and `take_server` hands it over.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping
from typing import IO, Any

from tilewright.tuning.workers.processes import Process, Spawned, end, start_python


class ForkServer:
    """The parent's side of a fork server; a dead server is replaced when needed."""

    def __init__(self, preload: str) -> None:
        """Start the server; `preload` names what it loads before it forks."""
        self._preload = preload
        # Left open for the life of the server.
        self._log: IO[bytes] = tempfile.TemporaryFile()
        self._start()

    def __enter__(self) -> ForkServer:
        """Return the server."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the server and its workers."""
        self.close()

    def _start(self) -> None:
        self._ended: dict[int, int] = {}
        # Each message is one request: a worker's preload, variables and descriptors.
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket, theirs = pair
        self._process: Spawned = start_python(
            "tilewright.tuning.workers.fork_server_main",
            [str(theirs.fileno()), str(os.getpid()), self._preload],
            theirs.fileno(),
            self._log.fileno(),
        )
        theirs.close()

    def fork(
        self, pipe: Any, log: int, preload: str, environment: Mapping[str, str]
    ) -> ServedWorker:
        """A worker that reads jobs from a pipe; it starts when the server can.

        `preload` names what the worker itself loads, besides the server's modules, and
        `environment` has the variables that it gets before.
        """
        if self._process.wait(0.0) is not None:
            self._socket.close()
            self._start()
        variables = {"TMPDIR": tempfile.gettempdir(), **environment}
        lines = [preload, *(f"{name}={value}" for name, value in variables.items())]
        request = "\n".join(lines).encode()
        # If the server is dead, the worker's pipe closes, as after a crash.
        with contextlib.suppress(OSError):
            socket.send_fds(self._socket, [request], [pipe.fileno(), log])
        return ServedWorker(self, self._process)

    def status(self, pid: int, parent: Spawned, timeout: float) -> int | None:
        """The exit status of a worker; that of its parent if it is dead.

        The parent is the server's process; another one may run since it died.
        """
        until = time.monotonic() + timeout
        while pid not in self._ended:
            left = until - time.monotonic()
            if (status := parent.wait(0.0)) is not None:
                return status
            if left <= 0:
                return None
            self._read(min(left, 0.1))
        return self._ended[pid]

    def output(self) -> bytes:
        """What the server itself has printed."""
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0)

    def close(self) -> None:
        """End the server and its workers."""
        self._socket.close()
        end(self._process)
        self._log.close()

    def _read(self, seconds: float) -> None:
        self._socket.settimeout(max(seconds, 0.001))
        message = b""
        with contextlib.suppress(OSError):
            message = self._socket.recv(4096)
        if message:
            pid, status = message.split()
            self._ended[int(pid)] = int(status)
        else:
            time.sleep(0.005)  # the server is ending, or there was no message in time


class ServedWorker(Process):
    """A worker of a fork server; it tells its id when it is ready."""

    def __init__(self, server: ForkServer, parent: Spawned) -> None:
        self._server = server
        self._parent = parent
        self.pid = 0
        """0 until the worker is ready."""

    def wait(self, timeout: float) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._server.status(self.pid, self._parent, timeout)

    def server_output(self) -> bytes:
        """What the server has printed: why no worker starts."""
        return self._server.output()


_early: ForkServer | None = None
"""The server that was started early and is not in use yet."""


@contextlib.contextmanager
def early_start(preload: str) -> Iterator[None]:
    """Start a server for whoever needs one; it ends if nobody does."""
    global _early
    _early = ForkServer(preload)
    try:
        yield
    finally:
        if _early is not None:
            _early.close()
        _early = None


def take_server(preload: str) -> ForkServer:
    """The server that was started early, or a new one; close it."""
    global _early
    taken, _early = _early, None
    return ForkServer(preload) if taken is None else taken
