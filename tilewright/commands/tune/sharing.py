"""`tune --share URL`: a run takes results of a team's store, and adds its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tilewright.commands.results.shared import shared_store
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs


def pull_family(
    url: str, database: Path, family: str, say: Callable[[str], object]
) -> None:
    """Take the runs of payloads that differ from this one in sizes alone."""
    with shared_store(url) as store, Database(database) as opened:
        added = store.pull(opened, family)
        say(f"{count(added, 'run')} of this payload from {store.name}")


@contextmanager
def pushed(url: str, database: Path, say: Callable[[str], object]) -> Iterator[None]:
    """Add the runs of the body to the store; one that is away ends no run."""
    with Database(database) as opened:
        before = {run.number for run in read_runs(opened)}
    yield
    try:
        with shared_store(url) as store, Database(database) as opened:
            new = [run for run in read_runs(opened) if run.number not in before]
            say(f"{count(store.push(opened, new), 'run')} added to {store.name}")
    except UserError as error:
        say(f"the run is not in the shared store: {error.fact}")
        say("`tilewright results push` adds it later")
