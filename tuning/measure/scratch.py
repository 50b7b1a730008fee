"""A folder for what a run writes on its way, gone when the run ends however it ends.

All runs of a user have their folders in one place, each locked by its run. A run that
was killed cannot clean up; the lock goes with it, and the next run removes the folder.
Temporary files of the tools (ptxas and its inputs) are made in there too.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tilewright.ir.errors import UserError

_LOCK = "lock"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder, set as the place for temporary files here and in workers.

    Folders that dead runs left are removed first.
    """
    try:
        home = _home()
        remove_dead(home)
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=home))
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise UserError(
            f"cannot make a folder for temporary files in {tempfile.gettempdir()}: "
            f"{error.strerror or error}",
            remedy="make room there, or set TMPDIR to a folder with room",
        ) from error
    try:
        with _temporary_files_in(folder):
            yield folder
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UserError(
            f"no room to write {error.filename or f'in {folder}'}: {error.strerror}",
            remedy="make room there, or set TMPDIR to a folder with room",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_dead(home: Path) -> list[Path]:
    """Remove the folders of runs that are no more; returns which."""
    removed: list[Path] = []
    for folder in home.glob("run-*"):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            # Made just now and not locked yet, or half removed; empty ones go.
            with contextlib.suppress(OSError):
                if _age(folder) > 60.0:
                    shutil.rmtree(folder, ignore_errors=True)
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue  # its run is alive
        else:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
        finally:
            os.close(lock)
    return removed


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def _home() -> Path:
    """The user's folder of runs; another one where somebody else has taken its name."""
    home = Path(tempfile.gettempdir()) / f"tilewright-runs-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        home.mkdir(mode=0o700)
    found = home.lstat()
    mine = found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode)
    if not mine or found.st_mode & 0o077:
        return Path(tempfile.mkdtemp(prefix="tilewright-runs-"))
    return home


@contextlib.contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Let this process and those it starts make temporary files there."""
    before, directory = os.environ.get("TMPDIR"), tempfile.tempdir
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    try:
        yield
    finally:
        tempfile.tempdir = directory
        if before is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = before
