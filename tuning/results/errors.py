"""Errors of a results file: SQLite's errors with a remedy."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tilewright.ir.errors import UserError


class DamagedFileError(UserError):
    """A results file that SQLite, or tilewright, cannot read."""


def damaged(path: Path, fact: str) -> DamagedFileError:
    """The error for a results file that is damaged."""
    return DamagedFileError(
        f"the results file {path} is damaged: {fact}",
        remedy=f"save what can be read with 'tilewright results export --db {path} -o "
        "saved.json', move the file away, and take the results in again with "
        "'tilewright results import saved.json'",
    )


def not_ours(path: Path, why: str) -> UserError:
    """The error for a file that is not a results file."""
    return UserError(
        f"{path} is not a tilewright results file: {why}", remedy="name another file"
    )


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's exceptions into `UserError`s."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explanation(path, error) from error


def _explanation(path: Path, error: sqlite3.Error) -> UserError:
    # The lowest byte of an extended code is the plain code.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return UserError(
            f"the results file {path} is locked by another process",
            remedy="wait until that one has finished, or name another file",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return UserError(
            f"the results file {path} is read-only: {error}",
            remedy="make file and folder writable, or name another file",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return UserError(
            f"cannot write the results file {path}: {error}",
            remedy="make room on the disk and run again; what was recorded before is "
            "in the file",
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return UserError(
            f"cannot open the results file {path}: {error}",
            remedy="check the path and its permissions",
        )
    if code == sqlite3.SQLITE_NOTADB:
        return _winners(path) or not_ours(path, str(error))
    return damaged(path, str(error))


def _winners(path: Path) -> UserError | None:
    """The error for JSON where results are written; None if it is none."""
    try:
        with path.open("rb") as file:
            is_json = file.read(1) == b"{"
    except OSError:
        return None
    if not is_json:
        return None
    return UserError(
        f"{path} is JSON, and results are written to a results file",
        remedy=f"take it into one with 'tilewright results import {path} --db "
        "results.db', and name that",
    )
