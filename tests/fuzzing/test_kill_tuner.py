"""Tuning runs that are killed anywhere; `python tests/fuzz/run_kills.py` goes on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fuzz.kill_tuner import Killer, Violation, read_verdicts

SECONDS = 12 if os.environ.get("CI") == "true" else 5


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_nothing_is_lost_and_nothing_is_left(tmp_path: Path) -> None:
    killer = Killer(tmp_path, seed=2026)
    killer.run(SECONDS)
    assert killer.rounds >= 1
    # The tool itself: it sees what is lost.
    assert len(read_verdicts(tmp_path / "results.db")) == 16
    killer._verdicts[10**6] = ("a point", "", "ok", "1.0", "")
    with pytest.raises(Violation, match="lost, or measured again"):
        killer._compare_results()
