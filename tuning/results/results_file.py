"""An open results file: created, checked and upgraded when it is opened.

Any number of processes may read and write it at the same time: SQLite's write-ahead log
lets readers go on while one process writes. What was committed survives a kill.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from tilewright.ir.errors import UserError
from tilewright.tuning.results.errors import damaged, explained, not_ours
from tilewright.tuning.results.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    columns,
    create,
    foreign_part,
    missing_part,
    upgrade,
)

_LOCK_SECONDS = 60.0
"""Seconds to wait for another process that writes."""


_LARGEST_COPY = 1 << 36
"""Bytes; a header that says more is damaged itself."""


class ResultsFile:
    """An open results file; may be shared by threads."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open a results file, or create it.

        With `read_only`, nothing is written, not even a newer schema, so that the file
        may be in a read-only folder.
        """
        self.path = path
        self.has_runs = True
        """False for a file of an older version that was opened to read."""
        self._lock = threading.RLock()
        try:
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _connect(path, read_only)
        except (OSError, sqlite3.Error) as error:
            raise UserError(
                f"cannot open the results file {path}: {error}",
                remedy="name a file in a folder you may write to",
            ) from error
        _set_readers(self._connection)
        try:
            with explained(path):
                self._prepare(read_only)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; all records are already in it."""
        with self._lock:
            self._connection.close()

    def _prepare(self, read_only: bool) -> None:
        """Check that this is a results file; create or upgrade its tables."""
        if read_only and self._stays_empty():
            # A process that was killed before it made the tables left it so.
            self._connection.close()
            self._connection = _without_records()
        connection = self._connection
        with contextlib.nullcontext() if read_only else self.writing():
            ours = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = connection.execute(
                "SELECT count(*) FROM sqlite_master"
            ).fetchone()[0]
            if ours == 0 and version == 0 and tables == 0 and not read_only:
                create(connection)
                ours, version = APPLICATION_ID, SCHEMA_VERSION
            known = ours == APPLICATION_ID and version <= SCHEMA_VERSION
            if known and (foreign := foreign_part(connection)):
                raise not_ours(self.path, f"it has {foreign}")
            if known and not columns(connection):
                raise damaged(self.path, "it has no table 'measurements'")
            if known and version < SCHEMA_VERSION and not read_only:
                upgrade(connection, version)
        if ours != APPLICATION_ID:
            raise not_ours(self.path, "it is a database of another program")
        if version > SCHEMA_VERSION:
            raise UserError(
                f"the results file {self.path} has schema {version}, this tilewright"
                f" knows {SCHEMA_VERSION}",
                remedy="upgrade tilewright, or name another file",
            )
        self.has_runs = not read_only or version == SCHEMA_VERSION
        if self.has_runs:
            missing = missing_part(connection)
            if missing is not None:
                raise damaged(self.path, f"it has {missing}")
        if not read_only:
            self._use_write_ahead_log()

    def _stays_empty(self) -> bool:
        """Whether the file is empty and stays so: another process may be making it."""
        for _ in range(50):
            query = "SELECT count(*) FROM sqlite_master"
            if self._connection.execute(query).fetchone()[0]:
                return False
            time.sleep(0.02)
        return self.path.stat().st_size == 0

    def _use_write_ahead_log(self) -> None:
        # With this log, readers never wait for writers. Two processes that open a new
        # file at the same time may collide here, which SQLite reports without waiting.
        # Where the file system does not support it, the default is slower but safe.
        for _ in range(50):
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                return
            except sqlite3.OperationalError:
                time.sleep(0.02)

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, with the write lock taken at its start."""
        with self._lock, explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # On a full disk, SQLite has ended the transaction itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def vacuum(self) -> None:
        """Give the free pages back to the disk; raises SQLite's errors."""
        with self._lock:
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def select(self, query: str, values: Sequence[Any]) -> list[sqlite3.Row]:
        """The rows of a query."""
        with self._lock, explained(self.path):
            return self._connection.execute(query, tuple(values)).fetchall()


def readable_copy(path: Path, folder: Path) -> Path:
    """A copy of a damaged file, of which SQLite reads the pages that are there.

    A file that was cut off has fewer pages than its header says, and SQLite refuses it
    as a whole. The copy has empty pages in their place, which take no room on disk.
    """
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    if size < 512 or len(data) < size:
        raise damaged(path, "its first page is not whole")
    pages = int.from_bytes(data[28:32], "big")
    copy = folder / path.name
    copy.write_bytes(data[: len(data) // size * size])
    if len(data) < pages * size <= _LARGEST_COPY:
        os.truncate(copy, pages * size)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        (folder / log.name).write_bytes(log.read_bytes())
    return copy


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(
            path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
    address = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro"
    # With a write-ahead log, a reader writes a file next to it, if it may.
    if not os.access(path.resolve().parent, os.W_OK):
        address += "&immutable=1"
    elif path.with_name(f"{path.name}-journal").exists() and os.access(path, os.W_OK):
        _take_back_what_was_cut_short(path)
    return sqlite3.connect(
        address, uri=True, timeout=_LOCK_SECONDS, check_same_thread=False
    )


def _take_back_what_was_cut_short(path: Path) -> None:
    """Let SQLite roll back the transaction of a process that was killed.

    A reader that may not write cannot, and would be refused.
    """
    with (
        contextlib.suppress(sqlite3.Error),  # the reader meets the error, and tells it
        contextlib.closing(sqlite3.connect(path, timeout=_LOCK_SECONDS)) as connection,
    ):
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _without_records() -> sqlite3.Connection:
    """A results file in memory that has no records."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    _set_readers(connection)
    create(connection)
    connection.commit()
    return connection


def _set_readers(connection: sqlite3.Connection) -> None:
    """Let rows be read by the names of their columns, and any text be read."""
    connection.row_factory = sqlite3.Row
    # Text that is not UTF-8 must not make the other rows unreadable.
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
