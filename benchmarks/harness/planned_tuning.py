"""Tune planned schedules by `tilewright tune`, one work after the other."""

from __future__ import annotations

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


def tune(payload: str, seconds: float, seed: int) -> dict[str, Any]:
    """Tune the schedule that is planned for a payload.

    Gives the winner's text, or the error, and how long the command took.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "payload.mlir").write_text(payload)
        best = at / "best.tw"
        command = [
            *(sys.executable, "-m", "tilewright", "tune", "payload.mlir"),
            *("-o", str(best), "--budget", f"{seconds:g}s"),
            *("--seed", str(seed), "--db", str(at / "results.db")),
        ]
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
        return found
