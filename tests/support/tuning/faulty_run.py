"""A tuning run in a process of its own, whose candidates fail in chosen ways.

    python -m support.tuning.faulty_run FOLDER KIND KIND ...

Programs that compute on the host stand in for kernels. They are built, compiled,
checked and timed by the same workers as on a GPU, and fail for real. The results go to
`results.db` in the folder; the exit code and the last message are those of `tilewright
tune`. The variable MARK of the environment tells its processes from others.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzz.kill_tuner import MARK, processes
from support.paths import ROOT, TESTS
from support.tuning.samples import Sample, Watcher, broken

ON_CPU = "    if a.device.type == 'cpu'"
RIGHT = "    return a + 1"


def body(kind: str, folder: Path) -> str:
    """The launcher of a candidate; on the meta device it is only compiled."""
    name, _, number = kind.partition(":")
    faults = {
        "right": f"    time.sleep(0.002 + {number or 0} * 1e-4)",
        "slow": "    time.sleep(0.2)",
        "wrong": f"{ON_CPU}: return a + 2",
        "hangs": f"{ON_CPU}: time.sleep(600)",
        "spins": f"{ON_CPU}:\n        while True: pass",
        "out of bounds": f"{ON_CPU}: __import__('ctypes').string_at(8)",
        "host memory": f"{ON_CPU}: torch.empty(1 << 50)",
        "device memory": f"{ON_CPU}: raise torch.OutOfMemoryError('out of memory')",
        "killed": f"{ON_CPU}: os.kill(os.getpid(), 9)",
        "lost": (
            f"{ON_CPU} and os.path.exists({str(folder / 'lost')!r}):\n"
            "        raise RuntimeError('CUDA error: no CUDA-capable device is "
            "detected')\n    time.sleep(0.002)"
        ),
    }
    return (
        f"{faults[name]}  # {kind}\n{RIGHT}"
        if name != "lost"
        else (f"{faults[name]}\n{RIGHT}  # {kind}")
    )


def main() -> None:
    """Tune over the kinds of candidates that the command line lists."""
    from tilewright.codegen.targets import target_named
    from tilewright.commands.terminal.failure import guarded
    from tilewright.commands.terminal.sigterm import ended_by_sigterm
    from tilewright.tuning.measure.inputs import random_inputs
    from tilewright.tuning.measure.timing import TimingOptions
    from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import space_of
    from tilewright.tuning.tuner import tune

    folder, kinds = Path(sys.argv[1]), sys.argv[2:]

    def build(point: Point) -> Sample:
        return Sample(broken(body(str(point["kind"]), folder)))

    def run() -> None:
        arguments = build({"kind": "right"}).program.arguments
        expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)
        task = TuningTask(
            build, space_of({"kind": kinds}), "payload", "schedule", (expected,)
        )
        options = TuneOptions(
            target=target_named("h200"),
            cache_dir=Path(os.environ["FAULTY_SOURCES"]),
            device="cpu",
            device_name="host",
            strategy="grid",
            workers=1,
            measure_limit=3.0,
            timing=TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3),
            final_rounds=2,
        )
        with Database(folder / "results.db") as database, ended_by_sigterm():
            result = tune(task, options, database, Watcher())
        counts = ", ".join(f"{n} {name}" for name, n in result.counts().items())
        print(f"best {result.best.point['kind']}; {counts}", flush=True)
        if result.interrupted:
            print("interrupted", flush=True)
        if result.stopped is not None:
            raise result.stopped

    guarded(run)


@dataclass
class Started:
    """A run that has started."""

    process: subprocess.Popen[str]
    folder: Path
    mark: str

    def workers(self) -> list[int]:
        """The processes that it has started."""
        return [pid for pid in processes(self.mark) if pid != self.process.pid]

    def wait_for_trials(self, count: int, seconds: float = 90.0) -> None:
        """Wait until the results file has some trials."""
        until = time.monotonic() + seconds
        while len(outcomes(self.folder)) < count:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < until, "no trial has ended"
            time.sleep(0.05)

    def end(self, seconds: float = 120.0) -> tuple[int, str, str]:
        """Exit code, output and messages; no process of it is left."""
        out, err = self.process.communicate(timeout=seconds)
        until = time.monotonic() + 20.0
        while alive := processes(self.mark):
            assert time.monotonic() < until, f"processes outlive the run: {alive}"
            time.sleep(0.05)
        assert "Traceback" not in err, err
        assert "bug in tilewright" not in err, err
        return self.process.returncode, out, err


@contextlib.contextmanager
def faulty_run(
    folder: Path,
    *kinds: str,
    before: tuple[str, ...] = (),
    elsewhere: Path | None = None,
) -> Iterator[Started]:
    """Start a run in a folder; `before` is a command that starts the command.

    Temporary files and caches are `elsewhere`, or in the folder too.
    """
    mark = uuid.uuid4().hex
    elsewhere = elsewhere or folder
    temporary = elsewhere / "tmp"
    temporary.mkdir(exist_ok=True, parents=True)
    environment = {
        **os.environ,
        MARK: mark,
        "PYTHONPATH": f"{ROOT}:{TESTS}",
        "TMPDIR": str(temporary),
        "TRITON_CACHE_DIR": str(elsewhere / "triton"),
        "FAULTY_SOURCES": str(elsewhere / "sources"),
    }
    command = [sys.executable, "-m", "support.tuning.faulty_run", str(folder), *kinds]
    process = subprocess.Popen(
        [*before, *command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Started(process, folder, mark)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def outcomes(folder: Path) -> dict[str, tuple[str, str]]:
    """Outcome and cause of every kind of candidate that is on file."""
    from tilewright.tuning.results.database import Database

    path = folder / "results.db"
    if not path.exists():
        return {}
    with Database(path, read_only=True) as database:
        found = database.list()
    return {str(one.point["kind"]): (one.outcome, one.cause) for one in found}


if __name__ == "__main__":
    main()
