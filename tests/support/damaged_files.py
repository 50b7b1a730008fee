"""Ways in which an entry of a cache is damaged, and a limit on the time to read it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

DAMAGES = (
    "missing",
    "empty",
    "cut",
    "other bytes",
    "folder",
    "full folder",
    "pipe",
    "socket",
    "link",
    "link to nothing",
    "writable by all",
)


def damage(path: Path, kind: str) -> None:
    """Damage a file, or put something else in its place."""
    content = path.read_bytes()
    path.unlink()
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif kind == "other bytes":
        path.write_bytes(bytes(byte ^ 1 for byte in content))
    elif kind in ("folder", "full folder"):
        path.mkdir()
        if kind == "full folder":
            (path / "file").write_bytes(content)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        # A socket's path has at most 108 bytes.
        before = Path.cwd()
        os.chdir(path.parent)
        try:
            with closing(socket.socket(socket.AF_UNIX)) as made:
                made.bind(path.name)
        finally:
            os.chdir(before)
    elif kind in ("link", "link to nothing"):
        elsewhere = path.parent.parent / "elsewhere"
        elsewhere.unlink(missing_ok=True)
        if kind == "link":
            elsewhere.write_bytes(content)
        path.symlink_to(elsewhere)
    elif kind == "writable by all":
        path.write_bytes(content)
        path.chmod(0o666)


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail if the block takes longer: it waits for a pipe."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"it took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
