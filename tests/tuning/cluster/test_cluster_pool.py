"""The pool on a Dask cluster whose workers are threads of this process.

Below each worker is a real process that runs the jobs.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.tuning.samples import Sleep, drain
from tilewright.ir.errors import UserError
from tilewright.tuning.cluster import connection, job_runner
from tilewright.tuning.cluster.cluster_pool import ClusterPool
from tilewright.tuning.cluster.cluster_workers import ClusterWorkers
from tilewright.tuning.cluster.members import Card
from tilewright.tuning.cluster.portable_jobs import LARGE
from tilewright.tuning.workers.pools import wait

distributed = pytest.importorskip("distributed")


@dataclass(frozen=True)
class Length:
    """The length of a file, and where the job ran."""

    path: Path

    def run(self) -> tuple[int, int]:
        return len(self.path.read_bytes()), os.getpid()


@dataclass(frozen=True)
class KillSelf:
    signal: int

    def run(self) -> None:
        os.kill(os.getpid(), self.signal)


@dataclass(frozen=True)
class Busy:
    """Uses the card for a while; says when."""

    def run(self) -> tuple[float, float]:
        start = time.monotonic()
        time.sleep(0.02)
        return start, time.monotonic()


@dataclass(frozen=True)
class Next:
    """Notes that it was asked to prefetch."""

    folder: Path

    def prefetch(self) -> None:
        (self.folder / "prefetched").touch()

    def run(self) -> bool:
        return (self.folder / "prefetched").exists()


@dataclass(frozen=True)
class LetPrefetch:
    """Lets the next job prefetch, as a measurement does."""

    folder: Path

    def run(self) -> None:
        from tilewright.tuning.workers.inbox import prefetcher

        until = time.monotonic() + 10.0
        while not Next(self.folder).run() and time.monotonic() < until:
            prefetcher()()
            time.sleep(0.01)


@dataclass(frozen=True)
class Fail:
    def run(self) -> None:
        raise ValueError("no such tile")


@pytest.fixture(scope="module")
def workers() -> Iterator[ClusterWorkers]:
    """Two workers with two threads each, one of them with a card."""
    options = {"nthreads": 2, "dashboard": False}
    specs = {
        0: {"cls": distributed.Worker, "options": options},
        1: {
            "cls": distributed.Worker,
            "options": {**options, "resources": {"GPU": 1}},
        },
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"dashboard": False}}
    with (
        distributed.SpecCluster(workers=specs, scheduler=scheduler) as cluster,
        connection.connected(cluster.scheduler_address) as client,
    ):
        found = ClusterWorkers(client, device="host")
        yield found
        found.close()


@pytest.mark.slow
def test_jobs_run_in_processes_below_the_workers(
    workers: ClusterWorkers, tmp_path: Path
) -> None:
    assert workers.card is not None
    assert workers.card.name == "host"
    (compiler,), (measurer,) = workers.compilers(), workers.measurers()
    assert compiler is not measurer
    large = tmp_path / "large.npy"
    large.write_bytes(bytes(LARGE + 1))
    with ClusterPool(workers, "measure", limit=20.0, preload="") as pool:
        jobs = [Length(large), Fail(), KillSelf(signal.SIGSEGV), Length(large)]
        tickets = [pool.submit(job) for job in jobs]
        slow = pool.submit(Sleep(30), limit=0.3)
        killed = pool.submit(KillSelf(signal.SIGKILL))
        done = drain(pool)
        first, failed, crashed, again = (done[ticket] for ticket in tickets)
        assert first.job == jobs[0]
        assert first.value[0] == again.value[0] == LARGE + 1
        assert os.getpid() != first.value[1] != again.value[1]  # the first one died
        assert pool.sent_bytes > LARGE
        assert pool.sent_bytes < 2 * LARGE  # the file was sent once
        assert (failed.ending, failed.error) == ("error", "ValueError: no such tile")
        assert (crashed.ending, crashed.cause) == ("crash", "candidate")
        assert "killed by SIGSEGV" in crashed.error
        # It did not use the processor: that may be the machine's fault.
        assert (done[slow].ending, done[slow].cause) == ("timeout", "environment")
        assert (done[killed].ending, done[killed].cause) == ("crash", "environment")
        assert pool.lost_workers == 3
        assert pool.connections() == []


def test_other_kinds_of_cards_get_no_jobs(
    workers: ClusterWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    (measurer,) = workers.measurers()
    monkeypatch.setattr(measurer, "card", Card("another card", None, ""))
    assert workers.measurers() == []
    assert workers.other_cards() == ["another card"]
    assert measurer not in workers.compilers()


def test_a_job_in_the_queue_can_be_forgotten(workers: ClusterWorkers) -> None:
    with ClusterPool(workers, "measure", limit=20.0, preload="") as pool:
        kept = pool.submit(Sleep(0.2))
        for _ in range(2):
            pool.submit(Sleep(0.01))  # the worker has them too
        forgotten = [pool.submit(Sleep(20)) for _ in range(3)]
        for ticket in forgotten:
            pool.forget(ticket)
        assert len(done := drain(pool, 10.0)) == 3
        assert kept in done


@pytest.mark.slow
def test_the_next_job_may_prefetch(workers: ClusterWorkers, tmp_path: Path) -> None:
    with ClusterPool(workers, "measure", limit=20.0, preload="") as pool:
        pool.submit(LetPrefetch(tmp_path))
        ticket = pool.submit(Next(tmp_path))
        assert drain(pool)[ticket].value is True


@pytest.mark.slow
def test_two_runs_take_turns_on_a_card(workers: ClusterWorkers) -> None:
    other = ClusterWorkers(workers.client, device="host")
    pools = [
        ClusterPool(one, "measure", limit=20.0, preload="") for one in (workers, other)
    ]
    for _ in range(8):
        for pool in pools:
            pool.submit(Busy())
    spans: list[tuple[float, float, int]] = []
    while any(pool.pending for pool in pools):
        for number, pool in enumerate(pools):
            spans += [(*done.value, number) for done in wait([pool], 0.01)]
    other.close()
    assert len(spans) == 16
    spans.sort()
    turns = [number for *_, number in spans]
    assert all(end <= start for (_, end, _), (start, *_) in itertools.pairwise(spans))
    assert sum(a != b for a, b in itertools.pairwise(turns)) >= 3


@pytest.mark.slow
def test_idle_processes_end_and_large_files_are_sent_again(
    workers: ClusterWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers.close()  # runners of the tests before
    monkeypatch.setattr(job_runner, "IDLE_SECONDS", 0.3)
    large = tmp_path / "large.npy"
    large.write_bytes(bytes(LARGE + 2))
    with ClusterPool(workers, "measure", limit=20.0, preload="") as pool:
        pids: list[int] = []
        for _ in range(2):
            ticket = pool.submit(Length(large))
            length, pid = drain(pool)[ticket].value
            assert length == LARGE + 2
            pids.append(pid)
            until = time.monotonic() + 10.0
            while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
                time.sleep(0.05)
            assert not Path(f"/proc/{pid}").exists()
        assert pids[0] != pids[1]
        assert pool.sent_bytes > 2 * LARGE


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(UserError, match="no Dask scheduler answers at tcp://127") as e,
        connection.connected("tcp://127.0.0.1:9"),
    ):
        pass
    assert "dask scheduler" in str(e.value)


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UserError, match="needs Dask, which is not installed") as e,
        connection.connected("tcp://127.0.0.1:9"),
    ):
        pass
    assert "tilewright[cluster]" in str(e.value)
