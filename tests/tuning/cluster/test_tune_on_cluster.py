"""Tuning runs on a real scheduler and worker processes, which are killed at times.

Programs that compute with torch on the host stand in for kernels, as in
`test_tuner.py`: a worker with the resource `GPU` checks and times them.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("distributed")

from support.tuning.dask_processes import DaskProcesses, dask_processes
from support.tuning.samples import Sample, broken
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
from tilewright.tuning.cluster import cluster_workers
from tilewright.tuning.cluster.cluster import open_cluster
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of
from tilewright.tuning.tuner import tune

pytestmark = pytest.mark.slow

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)


@dataclass
class Watcher:
    """Calls a function after a number of trials."""

    after: int
    action: Callable[[], object]
    trials: list[Trial] = field(default_factory=list)

    def on_phase(self, name: str) -> None: ...

    def on_trial(self, trial: Trial) -> None:
        self.trials.append(trial)
        if len(self.trials) == self.after:
            self.action()


def delayed(ms: float) -> GeneratedProgram:
    return broken(f"    time.sleep({ms / 1e3})\n    return a + 1")


def subject(delays: list[float], extra: dict[str, GeneratedProgram]) -> TuningTask:
    programs = {f"{ms} ms": delayed(ms) for ms in delays} | extra
    arguments = delayed(1).arguments
    expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)
    space = space_of({"kind": list(programs)})

    def build(point: Point) -> Sample:
        return Sample(programs[str(point["kind"])])

    return TuningTask(build, space, "payload", "schedule", (expected,))


def options(folder: Path, **changes: object) -> TuneOptions:
    settings: dict[str, object] = {
        "target": target_named("h200"),
        "cache_dir": folder / "sources",
        "device": "cpu",
        "device_name": "host",
        "strategy": "grid",
        "workers": 1,
        "measure_limit": 4.0,
        "timing": QUICK,
        "final_rounds": 3,
        "trials": None,
    }
    return TuneOptions(**{**settings, **changes})  # type: ignore[arg-type]


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    with dask_processes(tmp_path / "dask") as processes:
        yield processes


def test_the_same_result_as_on_one_machine(dask: DaskProcesses, tmp_path: Path) -> None:
    dask.add_worker(threads=2)
    dask.add_worker(gpu=True)
    extra = {
        "wrong": broken("    return a + 2"),
        "dies": broken("    if a.device.type == 'cpu': os._exit(9)\n    return a + 1"),
        "does not compile": broken("    raise RuntimeError('ptxas failed')"),
    }
    task = subject([9, 1], extra)
    results = {}
    for name in ("here", "cluster"):
        with Database(tmp_path / f"{name}.db") as database:
            settings = options(tmp_path / name)
            if name == "here":
                results[name] = tune(task, settings, database)
                continue
            with open_cluster(dask.wait(), device="cpu") as cluster:
                assert cluster.compile_threads == 2
                assert cluster.summary() == (
                    "cluster: 2 compilations at a time on 1 workers, "
                    "measured on 1 x cpu"
                )
                there = replace(settings, machines=cluster)
                results[name] = tune(task, there, database)
            assert len(database.list()) == 5
    for result in results.values():
        assert result.best.point == {"kind": "1 ms"}
        assert len(result.finalists) >= 2
    outcomes = [
        {str(t.point["kind"]): (t.outcome, t.record.error.split(";")[0]) for t in r}
        for r in (results["here"].trials, results["cluster"].trials)
    ]
    assert outcomes[0] == outcomes[1]
    # Nothing of a run stays behind on the workers.
    assert not list(dask.folder.rglob("tilewright-*"))


def test_killed_workers_cost_their_trials_only(
    dask: DaskProcesses, tmp_path: Path
) -> None:
    delays = [float(ms) for ms in range(20, 2, -1)]
    for _ in range(2):
        dask.add_worker()
        dask.add_worker(gpu=True)

    def kill_half() -> None:
        for process in dask.workers[:2]:
            process.kill()
        dask.add_worker(gpu=True)

    with (
        Database(tmp_path / "results.db") as database,
        open_cluster(dask.wait(), device="cpu") as cluster,
    ):
        watcher = Watcher(4, kill_half)
        settings = options(tmp_path, machines=cluster, workers=2)
        result = tune(subject(delays, {}), settings, database, watcher)
        assert result.counts() == {"ok": len(delays)}
        assert result.best.point == {"kind": "3.0 ms"}
        assert len(database.list()) == len(delays)


def test_a_worker_that_hangs_is_given_up(
    dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_workers, "SILENT_SECONDS", 6.0)
    dask.add_worker(threads=2)
    for _ in range(2):
        dask.add_worker(gpu=True)
    with open_cluster(dask.wait(), device="cpu") as cluster:
        hanging = dask.workers[1]
        watcher = Watcher(2, lambda: hanging.send_signal(signal.SIGSTOP))
        delays = [float(ms) for ms in range(10, 2, -1)]
        settings = options(tmp_path, machines=cluster, finalists=0)
        result = tune(subject(delays, {}), settings, None, watcher)
        assert result.counts() == {"ok": len(delays)}


def test_a_killed_scheduler_ends_the_run_and_the_next_one_goes_on(
    dask: DaskProcesses, tmp_path: Path
) -> None:
    dask.add_worker(gpu=True, threads=2)
    delays = [float(ms) for ms in range(12, 2, -1)]
    with Database(tmp_path / "results.db") as database:
        start = 0.0

        def kill_scheduler() -> None:
            nonlocal start
            start = time.monotonic()
            dask.scheduler.kill()

        with open_cluster(dask.wait(), device="cpu") as cluster:
            settings = options(tmp_path, machines=cluster, finalists=0)
            watcher = Watcher(4, kill_scheduler)
            result = tune(subject(delays, {}), settings, database, watcher)
        assert time.monotonic() - start < 20.0
        # Dask's client would print the traceback of a connection that it lost.
        assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)
        assert "connection to the Dask scheduler" in str(result.stopped)
        assert "run the same command again" in str(result.stopped)
        assert len(database.list()) >= 4
        done = len(database.list())
        again = tune(subject(delays, {}), options(tmp_path, finalists=0), database)
        assert again.origins() == {"database": done, "new": len(delays) - done}


def test_no_worker_measures(dask: DaskProcesses, tmp_path: Path) -> None:
    dask.add_worker()
    with open_cluster(dask.wait(), device="cpu") as cluster:
        assert cluster.card is None
        assert "none with the resource GPU=1 measures" in cluster.summary()
        with pytest.raises(UserError, match="no worker of the cluster .* measures"):
            tune(subject([1], {}), options(tmp_path, machines=cluster))
        # Without a device, the cost model ranks what the workers compile.
        settings = options(tmp_path, machines=cluster, device=None)
        assert tune(subject([1], {}), settings).counts() == {"ok": 1}


def test_a_worker_without_tilewright_is_named(
    dask: DaskProcesses, tmp_path: Path
) -> None:
    package = tmp_path / "other" / "tilewright"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('no tilewright here')\n")
    dask.add_worker(path=package.parent)
    with (
        pytest.raises(UserError, match="1 of 1 workers cannot run this") as e,
        open_cluster(dask.wait()),
    ):
        pass
    assert "has no tilewright: no tilewright here" in str(e.value)


def test_expected_results_are_sent_once(dask: DaskProcesses, tmp_path: Path) -> None:
    dask.add_worker(gpu=True, threads=2)
    count = 100_000
    base = broken("    return a + 1")
    argument = replace(base.arguments[0], shape=(count,))
    result = replace(base.results[0], shape=(count,))
    programs = [
        replace(delayed(ms), arguments=(argument,), results=(result,))
        for ms in (1, 20, 40)
    ]
    expected = ExpectedResults([random_inputs((argument,), 0)[0] + np.float32(1)])

    def build(point: Point) -> Sample:
        return Sample(programs[int(point["n"])])

    space = space_of({"n": [0, 1, 2]})
    task = TuningTask(build, space, "payload", "schedule", (expected,))
    with open_cluster(dask.wait(), device="cpu") as cluster:
        result = tune(task, options(tmp_path, machines=cluster))
        assert result.best.point == {"n": 0}
        (measuring,) = [pool for pool in cluster.pools if pool.role == "measure"]
        assert 4 * count < measuring.sent_bytes < 5 * count


def test_processes_end_with_the_run(dask: DaskProcesses, tmp_path: Path) -> None:
    dask.add_worker(gpu=True, threads=2)
    with open_cluster(dask.wait(), device="cpu") as cluster:
        settings = options(tmp_path, machines=cluster, finalists=0)
        tune(subject([1], {}), settings)
        assert below(dask.workers[0])
    until = time.monotonic() + 10
    while below(dask.workers[0]) and time.monotonic() < until:
        time.sleep(0.1)
    assert not below(dask.workers[0])
    assert dask.workers[0].poll() is None
    os.kill(dask.workers[0].pid, 0)


def below(process: subprocess.Popen[bytes]) -> list[str]:
    """The processes of ours below a Dask worker."""
    found = subprocess.run(
        ["pgrep", "-f", "-P", str(process.pid), "tilewright.tuning.workers"],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.split()
