"""What a person sees while something takes long."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from tilewright.commands.terminal import console
from tilewright.commands.terminal.console import progress_bar


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_PATIENCE", 0.01)
    monkeypatch.setattr(console, "_LONG_PATIENCE", 0.01)


@pytest.mark.parametrize(
    ("terminal", "shown"), [(True, "7 of 9"), (False, "running ...")]
)
def test_long_work_is_announced(terminal: bool, shown: str) -> None:
    out = io.StringIO()
    with progress_bar(Console(file=out, force_terminal=terminal), "running") as tell:
        tell("7 of 9")
        time.sleep(0.3)
    assert shown in out.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_quick_work_is_not(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_PATIENCE", 100.0)
    monkeypatch.setattr(console, "_LONG_PATIENCE", 100.0)
    out = io.StringIO()
    with progress_bar(Console(file=out, force_terminal=terminal), "running"):
        pass
    assert "running" not in out.getvalue()
