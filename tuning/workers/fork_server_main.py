"""The main program of a fork server: loads modules once, then forks workers of itself.

    python -m tilewright.tuning.workers.fork_server_main <socket> <parent> <preload>

Loading torch and triton takes seconds of processor time. A fork of a process that has
loaded them takes milliseconds. For each worker the parent sends its preload and the
variables of its environment, with its pipe and its log as file descriptors. The server
sends the status of each worker that has ended.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection

from tilewright.tuning.workers.jobs import load_modules
from tilewright.tuning.workers.worker_main import (
    die_with,
    end_tools_with_worker,
    load,
    prefer_for_oom_kill,
    report_crashes,
    serve,
)


def main() -> None:
    """Fork workers until the socket closes."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    die_with(int(sys.argv[2]))
    prefer_for_oom_kill()
    end_tools_with_worker()
    if sys.argv[3]:
        load_modules(sys.argv[3])
    while True:
        readable, _, _ = select.select([requests], [], [], 0.05)
        if readable:
            data, descriptors, _, _ = socket.recv_fds(requests, 8192, 2)
            if not data:
                return
            preload, *lines = data.decode().split("\n")
            variables = dict(line.split("=", 1) for line in lines)
            pipe, log = descriptors
            _fork(requests, pipe, log, preload, variables)
        _report_ended(requests)


def _fork(
    requests: socket.socket,
    pipe: int,
    log: int,
    preload: str,
    variables: Mapping[str, str],
) -> None:
    """Fork a worker; the server closes what it was sent."""
    server = os.getpid()
    if os.fork() == 0:
        try:
            requests.close()
            os.environ.update(variables)
            tempfile.tempdir = None
            _serve(pipe, log, preload, server)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    os.close(pipe)
    os.close(log)


def _serve(pipe: int, log: int, preload: str, server: int) -> None:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(log, 1)
    os.dup2(log, 2)
    report_crashes()
    die_with(server)
    load(preload)
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
            requests.send(f"{pid} {os.waitstatus_to_exitcode(status)}".encode())
        except OSError:
            return


if __name__ == "__main__":
    main()
