"""Workers that are forks of a server process, which has loaded their modules."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import time
from typing import IO, Any

from tilewright.tuning.measure.processes import Process, end, start_python


class ForkServer:
    """The parent's side of a fork server."""

    def __init__(self, preload: str) -> None:
        """Start the server; `preload` names what it loads before it forks."""
        self._socket, theirs = socket.socketpair()
        # Left open for the life of the server.
        self._log: IO[bytes] = tempfile.TemporaryFile()
        self._process = start_python(
            "tilewright.tuning.measure.fork_server_main",
            [str(theirs.fileno()), str(os.getpid()), preload],
            theirs.fileno(),
            self._log.fileno(),
        )
        theirs.close()
        self._ended: dict[int, int] = {}
        self._unread = b""

    def is_alive(self) -> bool:
        """Whether the server can fork another worker."""
        return self._process.wait(0.0) is None

    def fork(self, pipe: Any, log: int) -> ServedWorker:
        """A worker that reads jobs from a pipe; it starts when the server can."""
        # If the server is dead, the worker's pipe closes, as after a crash.
        with contextlib.suppress(OSError):
            socket.send_fds(self._socket, [b"f"], [pipe.fileno(), log])
        return ServedWorker(self)

    def status(self, pid: int, timeout: float) -> int | None:
        """The exit status of a worker; that of the server if it did not start."""
        until = time.monotonic() + timeout
        while pid not in self._ended:
            left = until - time.monotonic()
            if (status := self._process.wait(0.0)) is not None:
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
        with contextlib.suppress(OSError):
            self._unread += self._socket.recv(4096)
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            pid, status = line.split()
            self._ended[int(pid)] = int(status)


class ServedWorker(Process):
    """A worker of a fork server; it tells its id when it is ready."""

    def __init__(self, server: ForkServer) -> None:
        self._server = server
        self.pid = 0
        """0 until the worker is ready."""

    def wait(self, timeout: float) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._server.status(self.pid, timeout)

    def server_output(self) -> bytes:
        """What the server has printed: why no worker starts."""
        return self._server.output()
