"""Python processes that start with torch and triton imported: `run` and `start`.

Importing both takes more than two seconds of work. `warm_server.py` imports them once a
session, for Triton's interpreter, and forks a process for each script. Such a process
has its own arguments, environment, working folder and output, and ends with its server.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import tilewright.codegen.runtime.interpret as interpret


class Server:
    """The process that has imported everything; it runs one script at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm_server.py"))],
            env={**os.environ, "TRITON_INTERPRET": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self.close)

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    @property
    def pid(self) -> int:
        """The process id of the server, the parent of all scripts."""
        return self._process.pid

    def ask(self, request: Mapping[str, Any]) -> int:
        """Start a script; return its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return self.answer(None)

    def answer(self, timeout: float | None) -> int:
        """The next number that the server prints: a process id or an exit code."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], timeout)
        if not ready:
            raise subprocess.TimeoutExpired("warm Python", timeout or 0.0)
        # Lines are read byte by byte, since `select` does not see what is buffered.
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(self._process.stdout.fileno(), 1)
            assert byte, "the server of warm processes has ended"
            line += byte
        return int(line)


@functools.cache
def server() -> Server:
    """The server of this session."""
    return Server()


class WarmProcess:
    """A running script, with the needed part of the interface of `subprocess.Popen`."""

    def __init__(self, request: Mapping[str, Any]):
        self.returncode: int | None = None
        self.pid = server().ask(request)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its exit code; raises `subprocess.TimeoutExpired`."""
        if self.returncode is None:
            self.returncode = server().answer(timeout)
        return self.returncode

    def kill(self) -> None:
        """Kill the process."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def start(
    script: str | Path,
    arguments: Sequence[str] = (),
    *,
    out: str = os.devnull,
    err: str = os.devnull,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> WarmProcess:
    """Start a script: a file, or Python text as for `python -c`."""
    return WarmProcess(
        {
            "file" if isinstance(script, Path) else "text": str(script),
            "arguments": list(arguments),
            "out": out,
            "err": err,
            "cwd": str(cwd or Path.cwd()),
            "env": {**(os.environ if env is None else env), "TRITON_INTERPRET": "1"},
        }
    )


def run(
    script: str | Path, arguments: Sequence[str] = (), **given: Any
) -> subprocess.CompletedProcess[str]:
    """Run a script to its end; return its exit code and output."""
    with (
        tempfile.NamedTemporaryFile("r", encoding="utf-8") as out,
        tempfile.NamedTemporaryFile("r", encoding="utf-8") as err,
    ):
        code = start(script, arguments, out=out.name, err=err.name, **given).wait()
        return subprocess.CompletedProcess(str(script), code, out.read(), err.read())


def start_interpreter(folders: Sequence[Path], errors: IO[str]) -> WarmProcess:
    """A replacement of `interpret.start_child` that skips the imports."""
    # The descriptor's own path reaches the file, which has no name.
    err = f"/proc/{os.getpid()}/fd/{errors.fileno()}"
    return start(interpret.CHILD, [str(server().pid), *map(str, folders)], err=err)
