"""`tilewright run` and `tilewright tune` for the page, each as a child process.

They take longer than a request may, and use the GPU. The page asks for what they have
printed so far, and may stop them. One runs at a time: two would disturb each other's
times. Their files are in a temporary folder, which goes with the server.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tilewright.explorer.server.texts import Texts
from tilewright.pipeline import Point
from tilewright.tuning.workers.processes import import_path
from tilewright.tuning.workers.worker_main import die_with_parent

Kind: TypeAlias = Literal["run", "tune"]

RESULTS = "results.db"
_LONGEST = 3600.0
"""Seconds after which a command is ended."""
_MOST_OUTPUT = 200_000
"""Characters of output that are kept."""
_STOP_SECONDS = 10.0


class Busy(Exception):
    """Another command runs."""


@dataclass
class Command:
    """A child process, and what it has printed."""

    number: int
    kind: Kind
    folder: Path
    process: subprocess.Popen[str]
    started: float = field(default_factory=time.monotonic)
    output: str = ""
    ended: float | None = None
    stopped: bool = False

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.ended is None

    def as_json(self) -> dict[str, Any]:
        """Its state for the page."""
        seconds = (self.ended or time.monotonic()) - self.started
        status = self.process.poll()
        state = "running" if self.is_running else "done" if status == 0 else "failed"
        if self.stopped and not self.is_running:
            state = "stopped"
        return {
            "number": self.number,
            "kind": self.kind,
            "state": state,
            "seconds": round(seconds, 1),
            "output": self.output,
        }


class Commands:
    """The commands of a server; at most one runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Command] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def start(
        self, kind: Kind, texts: Texts, point: Point, options: Sequence[str] = ()
    ) -> Command:
        """Start a command on these texts; it ends with the thread that calls this."""
        with self._lock:
            if any(command.is_running for command in self._all):
                raise Busy
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="tilewright-serve-")
            number = len(self._all)
            folder = Path(self._folder.name) / str(number)
            words = [kind, *_files(texts, folder)]
            if kind == "run":
                for name, value in point.items():
                    words += ["--set", f"{name}={value}"]
            else:
                words += ["--db", str(folder / RESULTS)]
            command = Command(number, kind, folder, _start([*words, *options], folder))
            self._all.append(command)
        threading.Thread(target=_follow, args=(command,), daemon=True).start()
        return command

    def find(self, number: int) -> Command | None:
        """The command of a number."""
        return self._all[number] if 0 <= number < len(self._all) else None

    def close(self) -> None:
        """End all commands, and remove their files."""
        for command in self._all:
            stop(command)
        if self._folder is not None:
            self._folder.cleanup()


def stop(command: Command) -> None:
    """End a command: `tune` keeps its best so far and ends its own workers."""
    if command.process.poll() is not None:
        return
    command.stopped = True
    # As Ctrl-C would: `tune` then reports, and writes the winner so far.
    _signal(command, signal.SIGINT)
    try:
        command.process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        _signal(command, signal.SIGKILL)
        command.process.wait()


def _signal(command: Command, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        if number is signal.SIGKILL:
            os.killpg(command.process.pid, number)
        else:
            command.process.send_signal(number)


def _files(texts: Texts, folder: Path) -> list[str]:
    """Write the texts; returns the arguments that name them."""
    folder.mkdir(parents=True)
    payload = folder / texts.payload_name
    payload.write_text(texts.payload, encoding="utf-8")
    if not texts.has_schedule:
        return [payload.name]
    schedule = folder / texts.schedule_name
    if schedule == payload:
        schedule = folder / f"schedule-{schedule.name}"
    schedule.write_text(texts.schedule, encoding="utf-8")
    return [payload.name, "-s", schedule.name]


def _start(words: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": import_path(),
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TMPDIR": str(folder),
    }
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "tilewright", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        preexec_fn=die_with_parent,
        env=environment,
    )


def _follow(command: Command) -> None:
    """Keep what a command prints, until it ends."""
    timer = threading.Timer(_LONGEST, stop, (command,))
    timer.daemon = True
    timer.start()
    stream = command.process.stdout
    assert stream is not None
    for line in stream:
        command.output = (command.output + line)[-_MOST_OUTPUT:]
    command.process.wait()
    command.ended = time.monotonic()
    timer.cancel()
