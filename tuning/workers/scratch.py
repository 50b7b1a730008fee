"""The scratch folder of a run, which is removed however the run ends.

All runs of a user have their scratch folders in one place, each locked by its run. A
run that is killed cannot clean up, but its lock ends with it, and the next run removes
the folder. Tools such as ptxas write their temporary files there too.
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
    """Make a folder for the temporary files of this process and of its workers.

    Removes the folders that killed runs left behind.
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
    """Remove the folders of runs that were killed; returns those folders."""
    removed: list[Path] = []
    for folder in home.glob("run-*"):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            # The folder is new and not locked yet, or half removed.
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
    """The user's folder of runs; a new one where another user has taken its name."""
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
    """Put the temporary files of this process and its children into a folder."""
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
