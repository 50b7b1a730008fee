"""When this command began: with its process, before Python had started."""

from __future__ import annotations

import os
import time
from pathlib import Path

_one_command = False
"""Whether this process was started for one command."""


def mark_one_command() -> None:
    """Say that the process was started for the command that runs now."""
    global _one_command
    _one_command = True


def command_start() -> float:
    """When the command began, by `time.perf_counter`; now, if the process is older."""
    now = time.perf_counter()
    return now - _process_age() if _one_command else now


def _process_age() -> float:
    """Seconds since this process was started; 0 where the system does not tell."""
    try:
        fields = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
        started = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
