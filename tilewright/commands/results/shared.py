"""`tilewright results push` and `pull`: a store of results that a team shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilewright.commands.results.tried_runs import opened_file
from tilewright.commands.terminal.console import console
from tilewright.ir.phrases import count
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs
from tilewright.tuning.results.selection import select_runs
from tilewright.tuning.results.shared_store import SharedStore


@contextmanager
def shared_store(url: str) -> Iterator[SharedStore]:
    """The store of an address."""
    store = SharedStore(url)
    try:
        yield store
    finally:
        store.close()


def push(url: str, words: tuple[str, ...], database: Path) -> None:
    """Add the runs that the words name, or all, to the store."""
    with shared_store(url) as store, opened_file(database) as opened:
        runs = select_runs(read_runs(opened), words) if words else None
        added = store.push(opened, runs)
        told = f"{count(added, 'run')} of {database} added to {store.name}"
    console().print(told, markup=False)


def pull(url: str, database: Path) -> None:
    """Add the runs of the store that a results file lacks."""
    with shared_store(url) as store, Database(database) as opened:
        added = store.pull(opened)
        told = f"{count(added, 'run')} of {store.name} added to {database}"
    console().print(told, markup=False)
