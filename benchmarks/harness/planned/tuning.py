"""Tune planned schedules by `tilewright tune`, one work after the other."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def picked(names: Sequence[str], count: int, skip: int, seed: int) -> list[str]:
    """`count` names of a seeded shuffle, after the first `skip` of it."""
    shuffled = sorted(names)
    random.Random(seed).shuffle(shuffled)
    return shuffled[skip : skip + count]


def reference_seconds(work: Any) -> float:
    """About how long numpy takes for the results that candidates are checked against.

    It is part of the budget of `tilewright tune`, and up to a minute for large work.
    """
    shapes = [spec.shape for spec in work.specs.values()]
    shapes += [output.shape for output in work.payload.outputs]
    return 40e-9 * sum(map(math.prod, shapes)) + work.flops / 3e11


def tune(
    work: Any,
    seconds: float,
    seed: int,
    more: Sequence[str] = (),
    database: Path | None = None,
) -> dict[str, Any]:
    """Tune the schedule that is planned for a work, by the command.

    Gives the winner's text, or the error, the run's summary, and the wall time of the
    command. `more` are further options of `tilewright tune`.
    """
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "payload.mlir").write_text(work.payload.text())
        best, summary = at / "best.tw", at / "summary.json"
        command = [
            *(sys.executable, "-m", "tilewright", "tune", "payload.mlir"),
            *("-o", str(best), "--budget", f"{seconds:.1f}s", "--seed", str(seed)),
            *("--db", str(database or at / "results.db")),
            *("--summary", str(summary), *more),
        ]
        started = time.monotonic()
        try:
            run = subprocess.run(
                command, cwd=at, capture_output=True, text=True, timeout=seconds + 60
            )
        except subprocess.TimeoutExpired as error:
            return {"seconds": error.timeout, "error": "the command did not end"}
        found: dict[str, Any] = {"seconds": time.monotonic() - started}
        said = (run.stdout + run.stderr).strip().splitlines()
        found["output"] = "\n".join(said[-12:])
        if run.returncode or not best.exists():
            found["error"] = f"exit status {run.returncode}: {' '.join(said[-3:])}"
        else:
            found["schedule"] = best.read_text()
            found["summary"] = json.loads(summary.read_text())
        return found
