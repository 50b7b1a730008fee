"""A command line in a process of its own, with limits of memory and time.

The process is forked, so that it starts warm and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

MEMORY = 2 * 2**30
"""Bytes that a command may use beyond those of the warm process."""
SECONDS = 20.0
"""CPU time that a command may take."""
_WALL = 3
"""The wall-clock time of a busy machine is at most this many times the CPU time."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int | None
    """The exit code; None where the process was ended by a limit or a signal."""
    text: str
    """What it printed to stderr, or the traceback of an escaped exception."""
    seconds: float = 0.0
    kind: str = ""
    """A short description of the fault; empty if there is none."""

    @property
    def is_finding(self) -> bool:
        """Whether a user should never see this."""
        return bool(self.kind)


def run(arguments: list[str], folder: Path, *, may_be_long: bool = False) -> Outcome:
    """Run `tilewright ARGUMENTS` in a folder.

    `may_be_long` is for commands that execute the user's program: the compiler is not
    at fault if that program runs for long.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            told = _in_child(arguments, folder)
            with os.fdopen(writing, "wb") as out:
                out.write(json.dumps(told).encode())
        finally:
            os._exit(0)
    os.close(writing)
    raw, is_late = _read(reading, start + SECONDS * _WALL)
    if is_late:
        os.kill(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    seconds = used.ru_utime + used.ru_stime
    if not raw:
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if is_late or number == signal.SIGXCPU:
            kind = "" if may_be_long else f"ran for more than {SECONDS:.0f} s"
        else:
            kind = f"died of signal {number}"
        return Outcome(None, "", seconds, kind)
    told = json.loads(raw)
    return Outcome(told["code"], told["text"], seconds, told["kind"])


def _read(reading: int, deadline: float) -> tuple[bytes, bool]:
    """Everything the child writes, and whether it took too long."""
    parts: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as stream:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([stream], [], [], left)[0]:
                return b"".join(parts), True
            part = stream.read(1 << 16)
            if not part:
                return b"".join(parts), False
            parts.append(part)


def _in_child(arguments: list[str], folder: Path) -> dict[str, object]:
    os.chdir(folder)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return outcome_of(arguments)


def outcome_of(arguments: list[str]) -> dict[str, object]:
    """Run a command line in this process; return what its user would see."""
    from tilewright.cli import app
    from tilewright.commands.terminal.failure import UsageError
    from tilewright.ir.errors import UserError

    out, err = io.StringIO(), io.StringIO()
    code, kind = 0, ""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app(arguments, standalone_mode=False)
        except UserError as error:
            code = 2 if isinstance(error, UsageError) else 1
            message = str(error)
            err.write(message)
            kind = _fault_of(message)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException as error:
            # typer's own, which say what is wrong with a command line, have a code.
            code = getattr(error, "exit_code", 3)
            if code == 3:
                kind = _escaped(error)
                err = io.StringIO("".join(traceback.format_exception(error, limit=-12)))
    return {"code": code, "text": err.getvalue()[-8000:], "kind": kind}


def _escaped(error: BaseException) -> str:
    """The escaped exception and its place: one line for each cause."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "tilewright" in frame.filename]
    where, last = frames[-1], own[-1] if own else frames[-1]
    return (
        f"{type(error).__name__} in {_short(last.filename)}:{last.name} "
        f"({_short(where.filename)}:{where.lineno})"
    )


def _fault_of(message: str) -> str:
    """The fault in the wording of an error message."""
    head = message[:2000]
    for word in ("Traceback", "object at 0x", "Underlying", "<class '"):
        if word in head:
            return f"an error that says '{word}'"
    if len(message) > 100_000:
        return "an error of more than 100,000 characters"
    return ""


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])
