"""Kill tuning runs at random moments; check that nothing is lost or left behind.

Each round starts `tilewright tune` on the same small problem and results file and sends
a signal to the run or to one of its workers at a random moment. Then

- the results file opens, and every verdict that was in it is still there, untouched: no
  point that was measured is measured again;
- every trial has its record and its run;
- no process of the run is alive;
- a run that lost only a worker ends well.

At the end a run without a kill finishes, writes the winner and leaves no scratch file,
also none of those that were killed.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "TILEWRIGHT_KILL_TEST"
"""An environment variable of a run, by which its processes can be found."""

PAYLOAD = """
func.func @twice(%a: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %e = tensor.empty() : tensor<256x64xf32>
  %r = linalg.add ins(%a, %a : tensor<256x64xf32>, tensor<256x64xf32>)
    outs(%e : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %r : tensor<256x64xf32>
}
"""

SCHEDULE = """
schedule twice(root) {
  add = match "linalg.add" in root
  BM = knob [8, 16, 32, 64]
  warps = knob [1, 2, 3, 4]
  add, grid = tile add by [BM, 64] onto [block.y, block.x]
  launch grid warps = warps
}
"""
"""16 points; those with 3 warps are invalid."""

LONGEST = 300.0
"""The time limit of a run that is not killed, in seconds."""

_BROKEN = """
SELECT count(*) FROM trials WHERE run NOT IN (SELECT id FROM runs)
  OR measurement NOT IN (SELECT id FROM measurements)
"""
"""A record and its trial are one transaction, so neither is alone."""

_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Violation(Exception):
    """A result was lost, a file or process was left behind, or a run did not end."""


@dataclass
class Killer:
    """Runs rounds of killing in a folder of its own."""

    folder: Path
    seed: int
    tell: Callable[[str], None] = field(default=lambda _: None)
    rounds: int = 0

    def __post_init__(self) -> None:
        """Write the payload and the schedule to the folder."""
        self._rng = random.Random(self.seed)
        self._verdicts: dict[int, tuple[str, ...]] = {}
        self._typical = 4.0
        (self.folder / "payload.mlir").write_text(PAYLOAD)
        (self.folder / "schedule.tw").write_text(SCHEDULE)
        (self.folder / "tmp").mkdir()

    def run(self, seconds: float) -> None:
        """Run rounds for about `seconds`, at least one, then finish."""
        until = time.monotonic() + seconds
        while True:
            self.one_round()
            is_over = time.monotonic() >= until
            if is_over or len(self._verdicts) == 16:
                self.finish()
            if is_over:
                return
            if len(self._verdicts) == 16:
                self._start_over()

    def one_round(self) -> None:
        """Start a run, kill one of its processes, check what is left."""
        self.rounds += 1
        number = self._rng.choice(_SIGNALS)
        hits_worker = self._rng.random() < 0.4
        while_starting = self._rng.random() < 0.2
        delay = self._rng.uniform(0.0, self._typical)
        mark = uuid.uuid4().hex
        run = self._start(mark)
        while not while_starting and run.poll() is None and len(processes(mark)) < 2:
            time.sleep(0.05)
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(delay)
        before = len(self._verdicts)
        workers = [pid for pid in processes(mark) if pid != run.pid]
        victim = self._rng.choice(workers) if hits_worker and workers else run.pid
        whom = "the run" if victim == run.pid else "a worker"
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, number)
        output = self._end(run, mark)
        self._compare_results()
        if len(self._verdicts) == before:
            self._typical *= 1.3  # a slow machine: let it get somewhere
        self.tell(
            f"round {self.rounds}: {number.name} to {whom} after {delay:.1f} s, exit "
            f"{run.returncode}, {len(self._verdicts)} verdicts"
        )
        allowed = {0, 130, 128 + number, -number} if whom == "the run" else {0}
        if run.returncode not in allowed or "bug in tilewright" in output:
            raise Violation(
                f"{number.name} to {whom}: it ended with {run.returncode}\n{output}"
            )

    def finish(self) -> None:
        """Check that a run that is not killed succeeds and cleans up after all runs."""
        mark = uuid.uuid4().hex
        began = time.monotonic()
        run = self._start(mark)
        output = self._end(run, mark)
        self._typical = max(1.0, time.monotonic() - began)
        if run.returncode != 0:
            raise Violation(f"the resumed run ended with {run.returncode}\n{output}")
        self._compare_results()
        if not (self.folder / "best.tw").exists():
            raise Violation(f"there is no winner\n{output}")
        if len(self._verdicts) != 16:
            raise Violation(f"{len(self._verdicts)} of 16 points have a verdict")
        files = [path for path in (self.folder / "tmp").rglob("*") if path.is_file()]
        if files:
            raise Violation(f"scratch files are left: {sorted(map(str, files))}")
        self.tell(f"finished in {self._typical:.1f} s after {self.rounds} rounds")

    def _start(self, mark: str) -> subprocess.Popen[str]:
        folder = self.folder
        environment = {
            **os.environ,
            MARK: mark,
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(folder / "tmp"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "TRITON_CACHE_DIR": str(folder / "triton"),
        }
        words = "tune payload.mlir -s schedule.tw --trials 16 --strategy random"
        return subprocess.Popen(
            [sys.executable, "-m", "tilewright", *words.split()]
            + ["--jobs", "1", "--target", "h200", "-o", "best.tw"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _end(self, run: subprocess.Popen[str], mark: str) -> str:
        try:
            output, _ = run.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            run.kill()
            raise Violation(f"the run did not end in {LONGEST:g} s") from None
        until = time.monotonic() + 20.0
        while alive := processes(mark):
            if time.monotonic() > until:
                raise Violation(f"processes outlive the run: {alive}")
            time.sleep(0.05)
        return output

    def _compare_results(self) -> None:
        """Check that every earlier verdict is still in the file, unchanged."""
        now = read_verdicts(self.folder / "results.db")
        for number, row in self._verdicts.items():
            if now.get(number) != row:
                raise Violation(f"lost, or measured again: {row}")
        points = [row[0] for row in now.values()]
        if len(set(points)) != len(points):
            raise Violation(f"a point has two verdicts: {sorted(points)}")
        self._verdicts = now

    def _start_over(self) -> None:
        for path in self.folder.glob("results.db*"):
            path.unlink()
        (self.folder / "best.tw").unlink(missing_ok=True)
        self._verdicts = {}


def read_verdicts(path: Path) -> dict[int, tuple[str, ...]]:
    """The verdicts about candidates, by the number of the row."""
    if not path.exists():
        return {}
    connection = sqlite3.connect(path)
    try:
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise Violation(f"{path} is damaged")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            return {}  # killed before it made the table
        broken = connection.execute(_BROKEN).fetchone()[0]
        if broken:
            raise Violation(f"{broken} trials without their record or their run")
        rows = connection.execute(
            "SELECT id, point, program, outcome, p50, created FROM measurements "
            "WHERE cause = 'candidate'"
        ).fetchall()
    finally:
        connection.close()
    return {row[0]: tuple(map(str, row[1:])) for row in rows}


def processes(mark: str) -> list[int]:
    """The living processes of a run."""
    found: list[int] = []
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if state != "Z" and wanted in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found
