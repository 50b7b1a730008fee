"""Workers that crash, hang or raise: each costs one job, never the run."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from support.paths import ROOT, TESTS
from support.tuning.samples import Die, Sleep, StartTool, broken, drain, elementwise
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.measurement import Contender
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.workers.fork_server import ForkServer
from tilewright.tuning.workers.inbox import prefetcher
from tilewright.tuning.workers.jobs import CompileJob, MeasureJob, ProbeJob, RetimeJob
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)

RIGHT = "    return a + 1"
CASES = {
    "right": (RIGHT, "ok"),
    "exit": ("    os._exit(3)", "crash"),
    "segfault": ("    os.kill(os.getpid(), 11)", "crash"),
    "hang": ("    time.sleep(60)", "timeout"),
    "raise": ("    raise ValueError('no such tile')", "error"),
    "memory": ("    return torch.empty(1 << 50)", "error"),
    "last": (RIGHT + "  # last", "ok"),
}


def reference(tmp_path: Path, program: GeneratedProgram) -> Reference:
    (a,) = random_inputs(program.arguments, seed=4)
    np.save(tmp_path / "reference.npy", a + 1)
    return Reference(
        program.arguments, program.results, 4, (tmp_path / "reference.npy",), 1
    )


def measure_job(tmp_path: Path, program: GeneratedProgram) -> MeasureJob:
    source = source_file(program, tmp_path)
    return MeasureJob(source, "launch", (reference(tmp_path, program),), QUICK, "cpu")


@pytest.mark.slow
def test_each_failure_costs_one_job(tmp_path: Path) -> None:
    with ProcessPool(1, "measure", limit=10.0) as pool:
        names = {
            pool.submit(
                measure_job(tmp_path, broken(body)),
                limit=1.0 if name == "hang" else None,
            ): name
            for name, (body, _) in CASES.items()
        }
        finished = {names[ticket]: done for ticket, done in drain(pool).items()}
        assert pool.lost_workers == 3
    assert {name: done.ending for name, done in finished.items()} == {
        name: ending for name, (_, ending) in CASES.items()
    }
    assert "exited with status 3" in finished["exit"].error
    assert "killed by SIGSEGV" in finished["segfault"].error
    assert finished["hang"].error == "not done after 1 s"
    assert finished["raise"].error == "ValueError: no such tile"
    assert 1.0 <= finished["hang"].seconds < 4.0
    measurement = finished["right"].value
    assert measurement.comparison.ok
    assert measurement.timing.repetitions >= 3
    assert 0 < measurement.timing.p20 <= measurement.timing.p50
    assert set(measurement.seconds) == {"load", "check", "warm-up", "time"}


WRONG = {
    "value": ("    return a + 1.01", "8 of 8 elements differ"),
    # The memory holds the right answer of the run before; only NaN shows it.
    "unwritten": (
        "    out = torch.empty_like(a)\n    out[:7] = a[:7] + 1\n    return out",
        "1 of 8 elements differ; worst at [7]: nan",
    ),
    "argument": ("    a += 1\n    return a", "wrote to its argument 'a'"),
    "shape": ("    return a[:7] + 1", "shape is (7,), expected (8,)"),
    "count": ("    return a + 1, a", "2 results, expected 1"),
    "race": (
        "    launch.calls = getattr(launch, 'calls', 0) + 1\n"
        "    return a + (1 if launch.calls < 4 else 2)",
        "right at first, wrong when run again",
    ),
}


@pytest.mark.slow
def test_wrong_numbers_are_found(tmp_path: Path) -> None:
    fast = broken(RIGHT)
    slow = broken("    time.sleep(0.002)\n    return a + 1")
    contenders = tuple(
        Contender(name, source_file(program, tmp_path), "launch")
        for name, program in (("slow", slow), ("fast", fast))
    )
    retime = RetimeJob(contenders, (reference(tmp_path, fast),), QUICK, 4, "cpu")
    with ProcessPool(1, "measure", limit=20.0) as pool:
        tickets = {
            pool.submit(measure_job(tmp_path, broken(body))): message
            for body, message in WRONG.values()
        }
        good = pool.submit(measure_job(tmp_path, fast))
        interleaved, probe = pool.submit(retime), pool.submit(ProbeJob("cpu"))
        done = drain(pool)
        assert pool.lost_workers == 0
    for ticket, message in tickets.items():
        measurement = done[ticket].value
        assert measurement.timing is None
        assert message in measurement.comparison.message
    # The candidate that wrote to its argument did not spoil the ones after it.
    assert done[good].value.comparison.ok
    samples = done[interleaved].value
    assert len(samples["slow"]) == len(samples["fast"]) == 20
    assert min(samples["slow"]) > 2.0 > np.median(samples["fast"])
    assert done[probe].value.name == "cpu"


@pytest.mark.slow
def test_compile_pool(tmp_path: Path) -> None:
    target = target_named("h200")
    programs = [elementwise(block=block) for block in (256, 512, 1024)]
    bad = broken("    raise RuntimeError('does not compile')")
    with (
        ForkServer("compile") as server,
        ProcessPool(2, "", limit=60.0, server=server) as pool,
    ):
        good = [pool.submit(CompileJob(p, target, tmp_path)) for p in programs]
        failed = pool.submit(CompileJob(bad, target, tmp_path))
        done = drain(pool)
    for ticket in good:
        assert done[ticket].ending == "ok", done[ticket].error
        (stats,) = done[ticket].value
        assert stats.kernel == "add_one"
    assert done[failed].error == "RuntimeError: does not compile"


@pytest.mark.slow
def test_worker_is_replaced_after_its_share_of_jobs() -> None:
    with ProcessPool(1, "", limit=20.0, ahead=1, jobs_per_worker=1) as pool:
        pids = set()
        for _ in range(2):
            pool.submit(ProbeJob("cpu"))
            pids.add(pool._workers[0]._process.pid)
            drain(pool)
            wait([pool], 0)
        assert len(pids) == 2
        assert pool.lost_workers == 0


@pytest.mark.sampled(20)
@pytest.mark.parametrize("served", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_workers_that_cannot_start_are_an_error(served: bool) -> None:
    with (
        ForkServer("") as server,
        ProcessPool(
            1, "no such preload", limit=1.0, server=server if served else None
        ) as pool,
        pytest.raises(
            UserError, match="worker processes do not start: ModuleNotFoundError"
        ),
    ):
        pool.submit(ProbeJob("cpu"))
        drain(pool)


def test_forks_of_a_server_crash_alone_and_a_server_is_replaced() -> None:
    with (
        ForkServer("") as server,
        ProcessPool(2, "", limit=20.0, server=server) as pool,
    ):
        first = [pool.submit(Die(how)) for how in ("", "exit", "")]
        done = drain(pool)
        endings = [done[ticket].ending for ticket in first]
        assert endings == ["ok", "crash", "ok"]
        assert "exited with status 7" in done[first[1]].error
        servers = {done[ticket].value for ticket in (first[0], first[2])}
        assert len(servers) == 1
        killed = pool.submit(Die("server"))
        assert drain(pool)[killed].ending == "crash"
        last = pool.submit(Die(""))
        (after,) = {drain(pool)[last].value}
        assert after not in servers
    with pytest.raises(ProcessLookupError):
        os.kill(after, 0)


def test_workers_that_died_with_a_server_are_not_those_of_the_next_one() -> None:
    with (
        ForkServer("") as server,
        ProcessPool(1, "", limit=20.0, server=server) as pool,
        ProcessPool(1, "", limit=20.0, server=server) as other,
    ):
        first = other.submit(Die(""))
        assert drain(other)[first].ending == "ok"
        asleep = other.submit(Sleep(20.0))
        wait([other], 0)
        killed = pool.submit(Die("server"))
        assert drain(pool)[killed].ending == "crash"
        again = pool.submit(Die(""))
        assert drain(pool)[again].ending == "ok"
        done = drain(other)[asleep]
    assert (done.ending, done.cause) == ("crash", "environment")


@pytest.mark.slow
def test_a_server_that_does_not_start_is_done_without() -> None:
    with (
        ForkServer("no such preload") as server,
        ProcessPool(1, "", limit=20.0, server=server) as pool,
    ):
        ticket = pool.submit(ProbeJob("cpu"))
        assert drain(pool)[ticket].ending == "ok"


# The worker is busy when its parent dies, so that it does not see the pipe close.
ORPHAN = """
import sys, time
sys.path.insert(0, sys.argv[1])
from support.tuning.samples import Sleep
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool
pool = ProcessPool(1, "", limit=60.0)
pool.submit(Sleep(0.0))
while pool.pending:
    wait([pool], 1.0)
pool.submit(Sleep(60.0))
print(pool._workers[0]._process.pid, flush=True)
time.sleep(60)
"""


def test_worker_dies_with_its_parent() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(TESTS)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    time.sleep(0.3)
    assert _alive(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 10
    while _alive(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _alive(worker)


@pytest.mark.parametrize("fork", [None, lambda: None], ids=["spawned", "forked"])
def test_tools_die_with_their_worker(fork) -> None:
    with ProcessPool(1, "", limit=60.0, fork=fork) as pool:
        pool.submit(StartTool())
        (done,) = drain(pool).values()
        tool = done.value
        assert _alive(tool)
        os.kill(pool._workers[0]._process.pid, signal.SIGKILL)
        until = time.monotonic() + 10
        while _alive(tool) and time.monotonic() < until:
            time.sleep(0.02)
        assert not _alive(tool)


class Refused:
    """A job whose disk is full, as a tool may say it or the system."""

    def run(self) -> None:
        try:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/full")
        except OSError as error:
            raise UserError("Triton does not compile it") from error


@pytest.mark.slow
def test_causes_of_failures() -> None:
    """What the candidate does to itself is its fault; what others do is not."""
    bodies = {
        "kill -9": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "abort": os.abort,
        "full": Refused().run,
        "value": lambda: int("x"),
        "tool": lambda: exec("raise RuntimeError('ptxas: No space left on device')"),
        "lost": lambda: exec("raise RuntimeError('No CUDA GPUs are available')"),
        "sleeps": lambda: time.sleep(60),
        "spins": lambda: exec("while True: pass"),
    }
    causes: dict[str, str] = {}
    lost: list[str] = []
    for name, body in bodies.items():
        with ProcessPool(
            1, "", limit=1.0, fork=lambda body=body: _body.append(body)
        ) as pool:
            pool.submit(Forked())
            (done,) = drain(pool).values()
            causes[name] = done.cause
            lost += [name] if done.lost else []
    assert lost == ["lost"]
    assert causes == {
        "kill -9": "environment",
        "abort": "candidate",
        "full": "environment",
        "value": "candidate",
        "tool": "environment",
        "lost": "environment",
        "sleeps": "environment",
        # On a machine that is too busy, even that one might have ended.
        "spins": causes["spins"],
    }


def test_a_crash_while_the_next_program_loads_is_in_doubt() -> None:
    """The job that runs is innocent, as far as anybody can tell."""
    with ProcessPool(1, "", limit=20.0, fork=lambda: None) as pool:
        first, second = pool.submit(Prefetches()), pool.submit(DiesEarly())
        done = drain(pool)
        assert (done[first].ending, done[first].is_doubtful) == ("crash", True)
        assert done[first].broke_worker
        assert done[second].value == "alive"
        # With nothing behind it, there is no doubt.
        last = pool.submit(DiesEarly(at_once=True))
        done = drain(pool)
        assert (done[last].ending, done[last].is_doubtful) == ("crash", False)


def test_a_crash_ends_a_fork_whatever_handlers_its_parent_has() -> None:
    """Here the handler is a function that waits for ever."""
    libc = ctypes.CDLL(None)
    libc.signal.restype = ctypes.c_void_p
    waits = ctypes.cast(libc.pause, ctypes.c_void_p)
    before = libc.signal(signal.SIGSEGV, waits)
    try:
        with ProcessPool(1, "", limit=5.0, fork=lambda: None) as pool:
            ticket = pool.submit(DiesEarly(at_once=True))
            assert drain(pool)[ticket].ending == "crash"
    finally:
        libc.signal(signal.SIGSEGV, ctypes.c_void_p(before))


@dataclass(frozen=True)
class Prefetches:
    """A job that lets the next one load its program, once it is there."""

    def run(self) -> None:
        prefetch = prefetcher()
        for _ in range(100):
            prefetch()
            time.sleep(0.02)


@dataclass(frozen=True)
class DiesEarly:
    """A job whose program ends the process that loads it ahead."""

    at_once: bool = False

    def prefetch(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def run(self) -> str:
        if self.at_once:
            self.prefetch()
        return "alive"


_body: list = []


class Forked:
    """A job that runs what the worker was given when it was forked."""

    def run(self) -> None:
        _body[0]()


def _alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    # A zombie waits for whoever adopted it; it no longer runs.
    return status.rsplit(")", 1)[1].split()[0] != "Z" and os.getpid() != pid
