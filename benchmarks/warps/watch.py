"""A process that may hang: a limit for each step, and another try without that step."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

LAST_LINES = 20
UNLIMITED = "wait"
"""A step that begins with this word may take any time."""


@dataclass
class Watched:
    """What came of a work: its record, and the steps that did not end."""

    result: dict[str, Any] | None = None
    hung: list[str] = field(default_factory=list)
    error: str = ""


def watch(
    command: Callable[[Sequence[str]], Sequence[str]],
    *,
    step_seconds: float,
    deadline: float,
    tries: int = 5,
) -> Watched:
    """Run a command until it prints a result; a step that takes too long is skipped.

    `command` takes the names of the contenders to leave out. The process and all that
    it has started are killed when a step takes longer than `step_seconds`.
    """
    found = Watched()
    for _ in range(tries):
        step, text, result = _once(command(found.hung), step_seconds, deadline)
        if result is not None:
            found.result = result
            return found
        if step is None:
            found.error = text
            return found
        _, _, name = step.partition(" ")
        if name in found.hung or time.monotonic() > deadline:
            found.error = f"stopped in step '{step}'"
            return found
        found.hung.append(name)
    found.error = f"{tries} steps did not end"
    return found


def _once(
    command: Sequence[str], step_seconds: float, deadline: float
) -> tuple[str | None, str, dict[str, Any] | None]:
    """The step that hangs, the last lines of a failure, or the result."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_listen, args=(process, said), daemon=True).start()
    lines: list[str] = []
    step = "start"
    try:
        while True:
            left = deadline - time.monotonic()
            if not step.startswith(UNLIMITED):
                left = min(step_seconds, left)
            try:
                line = said.get(timeout=max(left, 0.0))
            except queue.Empty:
                return step, "", None
            if line is None:
                return None, "".join(lines[-LAST_LINES:]), None
            fields = _read(line)
            if "result" in fields:
                return None, "", fields["result"]
            if "step" in fields:
                step = fields["step"]
            else:
                lines.append(line)
    finally:
        _end(process)


def _listen(process: subprocess.Popen[str], said: queue.Queue[str | None]) -> None:
    """Pass on what a process prints; None at its end."""
    assert process.stdout is not None
    for line in process.stdout:
        said.put(line)
    said.put(None)


def _read(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and what it has started, and wait for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
