"""Runs replays, in processes where there are many."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from signal import SIG_IGN, SIGINT

from tilewright.tuning.replay.comparison import Setting, endings
from tilewright.tuning.replay.recorded_space import RecordedSpace
from tilewright.tuning.replay.sources import read_recordings
from tilewright.tuning.replay.trace import Ending, Stop


@dataclass(frozen=True)
class Job:
    """One replay."""

    path: Path
    place: int
    """Of the recording among those of the file."""
    setting: Setting
    seed: int
    stops: tuple[Stop, ...]


def run(job: Job) -> list[Ending]:
    """Replay, and give the result of every rule."""
    recorded = recordings_of(job.path)[job.place]
    return endings(recorded, job.setting, job.seed, job.stops)


@cache
def recordings_of(path: Path) -> list[RecordedSpace]:
    """The recordings of a file, read once in each process."""
    return read_recordings(path)


@contextmanager
def running(jobs: Sequence[Job], processes: int) -> Iterator[Iterator[list[Ending]]]:
    """The results of the jobs, in their order, as they come."""
    if processes == 1 or len(jobs) == 1:
        yield map(run, jobs)
        return
    context = multiprocessing.get_context("spawn")
    # Ctrl-C reaches every process of a terminal; this one ends the others.
    pool = ProcessPoolExecutor(
        min(processes, len(jobs)), context, signal.signal, (SIGINT, SIG_IGN)
    )
    try:
        yield pool.map(run, jobs, chunksize=max(1, len(jobs) // (8 * processes)))
    finally:
        pool.shutdown(cancel_futures=True)
