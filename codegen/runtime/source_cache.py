"""The cache folder of generated sources: private to the user, verified, bounded.

Python imports files from there, so nobody else may write to it: the folder belongs to
the user, with mode 0700, or it is not used. Entries are named by content and written
atomically. They are compared with their expected content before use; a damaged entry is
written again. Where the user's cache folder is not usable, a temporary folder replaces
it until the process ends.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path
from typing import Any

import platformdirs

_MOST_BYTES = 256 * 2**20
"""Above this size, entries that were not used for a day are removed, oldest first."""
_DAY = 24 * 3600.0
_LONGEST_UNUSED = 30 * _DAY
"""Seconds after which an unused entry is removed."""


@functools.cache
def source_directory() -> Path:
    """The user's cache folder, pruned; a temporary folder where it is not usable."""
    wanted = platformdirs.user_cache_path("tilewright", appauthor=False) / "sources"
    try:
        make_private(wanted)
        prune(wanted)
        return wanted
    except OSError:
        made = Path(tempfile.mkdtemp(prefix="tilewright-sources-"))
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        return made


def make_private(folder: Path) -> None:
    """Make a folder that only this user can enter; raises OSError if that fails."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is not a folder of this user")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)
    with tempfile.TemporaryFile(dir=folder):
        pass  # raises where the disk is full or read-only


def prune(folder: Path, most_bytes: int = _MOST_BYTES) -> None:
    """Remove old entries, and the oldest ones beyond the size limit.

    Entries that were used within a day stay: another process may be about to load them.
    """
    now = time.time()
    total = 0
    entries: list[tuple[float, int, Path]] = []
    for path in folder.rglob("*"):
        try:
            found = path.lstat()
        except OSError:
            continue  # another process has removed it
        if not stat.S_ISDIR(found.st_mode):
            entries.append((max(found.st_atime, found.st_mtime), found.st_size, path))
            total += found.st_size
    for used, size, path in sorted(entries):
        is_old = now - used > _LONGEST_UNUSED
        if not is_old and (total <= most_bytes or now - used < _DAY):
            break
        total -= size
        path.unlink(missing_ok=True)


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def write_text(path: Path, text: str) -> None:
    """Write a file atomically, so that no worker reads half of one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.NamedTemporaryFile(
        "wb", dir=path.parent, suffix=".tmp", delete=False
    ) as file:
        try:
            file.write(text.encode())
            file.close()
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def holds(path: Path, text: str) -> bool:
    """Whether a file has this content; if so, it counts as used."""
    try:
        if path.read_bytes() != text.encode():
            return False
        _use(path)
    except OSError:
        return False
    return True


def write_record(path: Path, value: Any) -> None:
    """Write a value as JSON, together with its hash."""
    text = json.dumps(value)
    write_text(path, json.dumps({"sha256": _digest(text), "value": text}))


def read_record(path: Path) -> Any | None:
    """The value that `write_record` wrote; None if the file is missing or damaged."""
    try:
        found = json.loads(path.read_bytes())
        text = found["value"]
        if found["sha256"] != _digest(text):
            return None
        _use(path)
        return json.loads(text)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _use(path: Path) -> None:
    """Set the access time, since many file systems do not when a file is read."""
    os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
