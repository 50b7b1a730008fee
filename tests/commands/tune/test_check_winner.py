"""The winner is written before it is checked, and what becomes of the check."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tilewright.commands.terminal.console import console
from tilewright.commands.tune.check_winner import Winner, check_winner
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import Comparison


@dataclass(frozen=True)
class Sample(Winner):
    """A winner that sleeps, and is right or not."""

    seconds: float = 0.0
    ok: bool = True

    def check(self) -> tuple[list[tuple[str, Comparison]], str]:
        time.sleep(self.seconds)
        return [("", Comparison(self.ok, 0.0, 0.0, "so it is"))], "an interpreter"


NOTHING: Any = None


def sample(**settings: Any) -> Sample:
    return Sample(NOTHING, NOTHING, {}, (), **settings)


@pytest.fixture
def best(tmp_path: Path) -> Path:
    path = tmp_path / "best.tw"
    path.write_text("schedule best(root) { }")
    return path


@pytest.fixture
def interrupted() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def test_an_interrupt_says_where_the_winner_is(
    best: Path, interrupted: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        check_winner(sample(seconds=60.0), best, console(), None)
    assert f"the winner is in {best}, not checked" in capsys.readouterr().err
    assert best.exists()


def test_no_time_is_said(best: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_winner(sample(seconds=60.0), best, console(), 0.0)
    assert "no time to run the winner" in capsys.readouterr().out
    assert best.exists()


def test_right_and_wrong(best: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_winner(sample(), best, console(), None)
    assert "correct in an interpreter: so it is" in capsys.readouterr().out
    with pytest.raises(UserError, match="the winner is wrong in an interpreter"):
        check_winner(sample(ok=False), best, console(), None)
    assert not best.exists() and best.with_suffix(".wrong").exists()


def test_a_check_without_time_says_what_was_checked_before(
    best: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick: Any = type("Quick", (), {"is_quick": True})()
    winner = Sample(NOTHING, NOTHING, {}, (quick,), seconds=60.0)
    check_winner(winner, best, console(), 0.0)
    out = " ".join(capsys.readouterr().out.split())
    assert "no time to run the winner in an interpreter" in out
    assert "the kernel-level interpreter has checked it" in out
