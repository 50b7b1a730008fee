"""Turns on a GPU: one process of this user measures at a time.

A kernel that is timed beside another process's kernels looks slower than it is. Several
runs on one GPU, or a run and a benchmark, take turns instead: who measures holds a lock
in the cache folder, named after the GPU. The lock ends with its process. Who waits
holds a second lock, so that nobody has two turns in a row while others wait. Without a
cache folder there are no turns.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Generator
from pathlib import Path

LONGEST_WAIT = 15.0
"""Seconds that a process waits for its turn: half of what a measurement may take. A
turn is the measurement of one program, mostly well under a second. Who holds the device
for longer, as a final round may, is no reason to stop."""
_POLL = 0.001
"""Seconds between two looks at the lock."""


@contextlib.contextmanager
def device_turn(device: str) -> Generator[None]:
    """Have the device for oneself, if others take turns too; the CPU has no turns."""
    path = _lock_file() if device == "cuda" else None
    if path is None:
        yield
        return
    with turn(path):
        yield


@contextlib.contextmanager
def turn(path: Path, longest_wait: float = LONGEST_WAIT) -> Generator[None]:
    """Hold the lock of a file, waiting at most so many seconds for it."""
    until = time.monotonic() + longest_wait
    with contextlib.ExitStack() as held:
        waiting = _opened(path.with_suffix(".queue"), held)
        device = _opened(path, held)
        if waiting is not None and device is not None and _take(waiting, until):
            _take(device, until)
            fcntl.flock(waiting, fcntl.LOCK_UN)
        yield


def _opened(path: Path, held: contextlib.ExitStack) -> int | None:
    """A file to lock, open until the end; None if that is impossible."""
    flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        file = os.open(path, flags, 0o600)
    except OSError:
        return None
    held.callback(os.close, file)
    return file


def _take(lock: int, until: float) -> bool:
    """Lock the open file; give up at some time, and say so."""
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > until:
                return False
            time.sleep(_POLL)
        else:
            return True


def _lock_file() -> Path | None:
    """The file of the current GPU in the cache folder; None without such a folder."""
    import torch

    from tilewright.codegen.runtime.source_cache import kept_directory

    folder = kept_directory("devices")
    if folder is None:
        return None
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return folder / f"{getattr(properties, 'uuid', properties.name)}.lock"
