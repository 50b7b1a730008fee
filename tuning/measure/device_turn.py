"""Turns on a GPU: one process of this user measures at a time.

A kernel that is timed beside another process's kernels looks slower than it is. Several
runs on one GPU, or a run and a benchmark, take turns instead: who measures holds a lock
in the cache folder, named after the GPU. The lock ends with its process. Without a
cache folder there are no turns.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

LONGEST_WAIT = 5.0
"""Seconds that a process waits for its turn. A turn is the measurement of one program,
mostly well under a second. Who holds the device for longer is no reason to stop."""
_POLL = 0.001
"""Seconds between two looks at the lock."""


@contextlib.contextmanager
def device_turn(device: str) -> Iterator[None]:
    """Have the device for oneself, if others take turns too; the CPU has no turns."""
    path = _lock_file() if device == "cuda" else None
    if path is None:
        yield
        return
    with turn(path):
        yield


@contextlib.contextmanager
def turn(path: Path, longest_wait: float = LONGEST_WAIT) -> Iterator[None]:
    """Hold the lock of a file, waiting at most so many seconds for it."""
    flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        lock = os.open(path, flags, 0o600)
    except OSError:
        yield
        return
    try:
        _take(lock, longest_wait)
        yield
    finally:
        os.close(lock)


def _take(lock: int, longest_wait: float) -> None:
    """Lock the open file; give up when the wait is over."""
    until = time.monotonic() + longest_wait
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > until:
                return
            time.sleep(_POLL)
        else:
            return


def _lock_file() -> Path | None:
    """The file of the current GPU in the cache folder; None without such a folder."""
    import torch

    from tilewright.codegen.runtime.source_cache import kept_directory

    folder = kept_directory("devices")
    if folder is None:
        return None
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return folder / f"{getattr(properties, 'uuid', properties.name)}.lock"
