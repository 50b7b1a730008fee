"""The main program of a fork server: loads modules once, then forks workers of itself.

    python -m tilewright.tuning.measure.fork_server_main <socket> <parent> <preload>

Loading torch and triton takes seconds of processor time. A fork of a process that has
loaded them takes milliseconds. The parent sends the pipe and the log of each worker as
file descriptors. The server sends the status of each worker that has ended.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import socket
import sys
from multiprocessing.connection import Connection

from tilewright.tuning.measure.jobs import PRELOADS
from tilewright.tuning.measure.worker_main import (
    die_with,
    end_tools_with_worker,
    lower_priority,
    prefer_for_oom_kill,
    serve,
)

_INTERVAL = 0.05
"""Seconds between two looks for workers that have ended."""


def main() -> None:
    """Fork workers until the socket closes."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    die_with(int(sys.argv[2]))
    prefer_for_oom_kill()
    lower_priority()
    end_tools_with_worker()
    if sys.argv[3]:
        PRELOADS[sys.argv[3]]()
    while True:
        readable, _, _ = select.select([requests], [], [], _INTERVAL)
        if readable:
            data, descriptors, _, _ = socket.recv_fds(requests, 1, 2)
            if not data:
                return
            _fork(requests, *descriptors)
        _report_ended(requests)


def _fork(requests: socket.socket, pipe: int, log: int) -> None:
    """Fork a worker; the server closes what it was sent."""
    server = os.getpid()
    if os.fork() == 0:
        try:
            requests.close()
            _serve(pipe, log, server)
        finally:
            os._exit(0)
    os.close(pipe)
    os.close(log)


def _serve(pipe: int, log: int, server: int) -> None:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(log, 1)
    os.dup2(log, 2)
    faulthandler.enable(2)  # a crash is reported in the log
    die_with(server)
    serve(Connection(pipe))


def _report_ended(requests: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        try:
            requests.sendall(f"{pid} {os.waitstatus_to_exitcode(status)}\n".encode())
        except OSError:
            return


if __name__ == "__main__":
    main()
