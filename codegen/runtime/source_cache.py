"""The user's cache folder, and in it the generated sources: private, verified, bounded.

Python executes files from there, so nobody else may write to it, or could have
(`private_files.py`). `TILEWRIGHT_CACHE` in the environment names another place for it,
or is `off`. Entries are named by content and written atomically. They are compared with
their expected content, or with their hash, before use; a damaged entry is written
again. Where the user's cache folder is not usable, a temporary folder replaces it until
the process ends.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import logging
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path
from typing import Any

import platformdirs

from tilewright.codegen.runtime.private_files import (
    NotPrivate,
    make_private,
    read_private,
)
from tilewright.ir.printable import printable

_log = logging.getLogger("tilewright")

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
    """A folder of the user's cache, pruned; None if it is off or not usable.

    What lies in a folder that others could write is removed.
    """
    folder = _directory(name, empties=True)
    if folder is None:
        return None
    try:
        prune(folder, most_bytes)
    except OSError:
        return None
    return folder


def kept_directory(name: str) -> Path | None:
    """A folder of the user's cache; None if it is off or not usable.

    Nothing in it is ever removed. One that others can write is not usable.
    """
    return _directory(name, empties=False)


def _directory(name: str, *, empties: bool) -> Path | None:
    setting = os.environ.get(SETTING, "")
    if setting.lower() in ("off", "0"):
        return None
    user = platformdirs.user_cache_path("tilewright", appauthor=False)
    wanted = (Path(setting).expanduser() if setting else user) / name
    try:
        wanted = wanted.absolute()  # raises where the current folder was removed
        folder = make_private(wanted, empties=empties)
        with tempfile.TemporaryFile(dir=folder):
            pass  # raises where the disk is full or read-only
    except NotPrivate as error:
        _warn_once(
            f"{error}, so the cache folder {wanted} is not used; let nobody else "
            f"write there (chmod go-w), or name another folder by {SETTING}"
        )
        return None
    except OSError:
        return None
    return folder


@functools.cache
def _warn_once(fact: str) -> None:
    _log.warning("tilewright: %s", printable(fact))


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
    """Write a file atomically, so that no other process reads half of one.

    Whatever has its name is replaced, a folder too.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.NamedTemporaryFile(
        "wb", dir=path.parent, suffix=".tmp", delete=False
    ) as file:
        try:
            file.write(content)
            file.close()
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def read_entry(path: Path) -> bytes | None:
    """The content of an entry, which counts as used; None if there is none to trust.

    An entry that somebody else can have written is as good as missing.
    """
    try:
        return read_private(path, is_use=True)
    except NotPrivate as error:
        _warn_once(f"{error}, so it is not read and made again")
    except OSError:
        pass
    return None


def holds(path: Path, text: str) -> bool:
    """Whether a file has this content; if so, it counts as used."""
    return read_entry(path) == text.encode()


def hashed(content: bytes) -> bytes:
    """A content after a line with its hash."""
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def unhashed(content: bytes) -> bytes:
    """What `hashed` was given; raises `ValueError` if it has changed since."""
    digest, _, rest = content.partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        raise ValueError("the content has another hash")
    return rest


def write_record(path: Path, value: Any) -> None:
    """Write a value as JSON, together with its hash."""
    text = json.dumps(value)
    write_text(path, json.dumps({"sha256": _digest(text), "value": text}))


def read_record(path: Path) -> Any | None:
    """The value that `write_record` wrote; None if the file is missing or damaged."""
    content = read_entry(path)
    if content is None:
        return None
    try:
        found = json.loads(content)
        text = found["value"]
        if found["sha256"] != _digest(text):
            return None
        return json.loads(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
