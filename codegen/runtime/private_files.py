"""Files and folders that nobody but this user can have written.

Python executes some of the files in a cache folder. A user who could write there once
could have left code, with a right hash: a hash has no key. So a file counts only if it
is a plain file of this user that others cannot write, and a folder only if that holds
for it and for all folders around it. Files are checked after they are opened, so that
no other file can take their place in between.

`root` may write everywhere, and is trusted. So is a group that has no member but this
user: many systems give each user one, and let the group write.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import stat
import tempfile
import time
from functools import cache
from pathlib import Path

from tilewright.ir.printable import printable

_log = logging.getLogger("tilewright")

_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class NotPrivate(PermissionError):
    """Somebody else can write a file or a folder, or could have."""


def read_private(path: Path, *, is_use: bool = False) -> bytes:
    """The content of a file of this user; raises `OSError` for anything else.

    A use sets the access time, since many file systems do not when a file is read.
    """
    # Without O_NONBLOCK, a pipe would wait for somebody who writes into it.
    descriptor = os.open(path, _OPEN | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise NotPrivate(f"{path} is not a plain file")
        if (fact := _why_not_private(found)) is not None:
            raise NotPrivate(f"{path} {fact}")
        content = file.read()
        if is_use:
            with contextlib.suppress(OSError):  # a file system that is only read
                os.utime(descriptor, ns=(time.time_ns(), found.st_mtime_ns))
        return content


def make_private(folder: Path, *, empties: bool = True) -> Path:
    """Make a folder that only this user can enter; its path, without links.

    Raises `NotPrivate` where others can replace the folder, and another `OSError` where
    it cannot be made. What lies in a folder that others could write is removed, or the
    folder is refused if it `empties` nothing.
    """
    around = Path(os.path.realpath(folder.parent))
    check_around(around)
    around.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_around(around)
    place = around / folder.name
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o700)
    descriptor = os.open(place, _OPEN | os.O_DIRECTORY)
    try:
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid():
            raise NotPrivate(f"{place} belongs to {_owner(found.st_uid)}")
        was_open = _why_not_private(found)
        if was_open is not None and not empties:
            raise NotPrivate(f"{place} {was_open}")
        if stat.S_IMODE(found.st_mode) & _OTHERS:
            os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)
    if was_open is not None:
        _replace(place)
        _log.warning(
            "tilewright: %s %s, so the files in it may be another user's; they were "
            "removed, and only you can enter the folder now",
            *(printable(str(place)), was_open),
        )
    return place


def check_around(folder: Path) -> None:
    """Raise `NotPrivate` where others can rename a folder, or one around it.

    In a folder with the sticky bit, such as /tmp, users rename only what is theirs.
    Folders that do not exist yet are made by this user.
    """
    for place in (folder, *folder.parents):
        try:
            found = place.stat()
        except FileNotFoundError:
            continue
        fact = _why_not_private(found, by_root=True)
        is_sticky = found.st_mode & stat.S_ISVTX and found.st_uid in _trusted()
        if fact is not None and not is_sticky:
            raise NotPrivate(f"{place} {fact}")


def _why_not_private(found: os.stat_result, *, by_root: bool = False) -> str | None:
    """Who else can write a file or a folder; None if nobody."""
    if found.st_uid not in (_trusted() if by_root else (os.geteuid(),)):
        return f"belongs to {_owner(found.st_uid)}"
    mode = stat.S_IMODE(found.st_mode)
    if mode & stat.S_IWOTH:
        return f"can be written by all users (mode {mode:04o})"
    if mode & stat.S_IWGRP and not _is_own_group(found.st_gid):
        return f"can be written by group {found.st_gid} (mode {mode:04o})"
    return None


def _trusted() -> tuple[int, int]:
    """The users whose files are trusted: root, and the own one."""
    return 0, os.geteuid()


@cache
def _is_own_group(number: int) -> bool:
    """Whether a group is this user's own: it has the user's name and no member else."""
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    name = user.pw_name
    return (group.gr_name, user.pw_gid) == (name, number) and {*group.gr_mem} <= {name}


def _owner(number: int) -> str:
    import pwd

    try:
        return f"user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"user {number}"


def _replace(folder: Path) -> None:
    """Put an empty folder in the place of one.

    Another user may have made a folder in it that only he can empty. It is left aside,
    where nothing reads it.
    """
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    folder.rename(aside / folder.name)
    folder.mkdir(mode=0o700)
    shutil.rmtree(aside, ignore_errors=True)
