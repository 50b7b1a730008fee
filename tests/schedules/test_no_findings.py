"""Good schedules: a check says nothing about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import EXAMPLES
from tilewright.check_schedule.report import checked
from tilewright.schedules.schedule import Schedule

FILES = sorted(EXAMPLES.glob("**/*.tw"))

IMPLIED = {
    "a knob that only another number uses": """
        B = 64 of [32, 64]
        BK = B / 2
        tile mm by [BK, 32]""",
    "a knob that a number of a number uses": """
        B = 64 of [32, 64]
        half = B / 2
        BK = half * 2
        tile mm by [BK, 32]""",
    "options bounded by a number that never bounds them": """
        BM = 128 of [128, 256]
        BK = 32 of pow2(16, min(BM, 64))
        tile mm by [BM, BK]""",
    "a number in a list": """
        B = 64 of [32, 64]
        tile mm by [B / 2, 32]""",
}
"""Statements that imply requirements. No finding is about these."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    schedule, errors = Schedule.read_path(path)
    assert not errors
    assert checked(schedule, ()).findings == ()


@pytest.mark.parametrize("name", IMPLIED)
def test_implied_requirements(name: str) -> None:
    match = 'mm = match "linalg.matmul" in root'
    text = f"schedule s(root) {{\n  {match}{IMPLIED[name]}\n}}\n"
    assert checked(Schedule.from_text(text, "s.tw"), ()).findings == ()
