"""The user's cache folder, and in it the generated sources: private, verified, bounded.

Python imports files from there, so nobody else may write to it: the folder belongs to
the user, with mode 0700, or it is not used. `TILEWRIGHT_CACHE` in the environment names
another place for it, or is `off`. Entries are named by content and written
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


SETTING = "TILEWRIGHT_CACHE"
"""The environment variable that moves the cache folder, or turns it off."""


@functools.cache
def source_directory() -> Path:
    """The user's cache folder, pruned; a temporary folder where it is not usable."""
    found = private_directory("sources")
    if found is not None:
        return found
    made = Path(tempfile.mkdtemp(prefix="tilewright-sources-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def private_directory(name: str, most_bytes: int = _MOST_BYTES) -> Path | None:
    """A folder of the user's cache, pruned; None if it is off or not usable."""
    folder = kept_directory(name)
    if folder is None:
        return None
    try:
        prune(folder, most_bytes)
    except OSError:
        return None
    return folder


def kept_directory(name: str) -> Path | None:
    """A folder of the user's cache; None if it is off or not usable."""
    setting = os.environ.get(SETTING, "")
    if setting.lower() in ("off", "0"):
        return None
    user = platformdirs.user_cache_path("tilewright", appauthor=False)
    wanted = (Path(setting).expanduser().absolute() if setting else user) / name
    try:
        make_private(wanted)
    except OSError:
        return None
    return wanted


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
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically, so that no other process reads half of one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.NamedTemporaryFile(
        "wb", dir=path.parent, suffix=".tmp", delete=False
    ) as file:
        try:
            file.write(content)
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
        mark_used(path)
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
        mark_used(path)
        return json.loads(text)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def mark_used(path: Path) -> None:
    """Set the access time, since many file systems do not when a file is read."""
    os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
