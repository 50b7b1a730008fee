"""The winner is written before it is checked, and what becomes of the check."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.terminal.console import console
from tilewright.commands.tune.check_winner import (
    Winner,
    WrongWinnerError,
    check_winner,
    checked_winner,
)
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import Comparison
from tilewright.pipeline import parse_payload

LARGE = """
func.func @f(%x: tensor<2048x2048xf32>, %y: tensor<2048x2048xf32>)
    -> tensor<2048x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2048xf32>)
    -> tensor<2048x2048xf32>
  %p = linalg.matmul ins(%x, %y : tensor<2048x2048xf32>, tensor<2048x2048xf32>)
    outs(%i : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %p : tensor<2048x2048xf32>
}
"""


@dataclass(frozen=True)
class Sample(Winner):
    """A winner that sleeps, and is right or not."""

    seconds: float = 0.0
    ok: bool = True

    def check(self) -> tuple[list[tuple[str, Comparison]], str]:
        time.sleep(self.seconds)
        return [("", Comparison(self.ok, 0.0, 0.0, "so it is"))], "an interpreter"


class Uncomputed(SizedCase):
    """A case that is large, as is known without its numbers."""

    @property
    def is_quick(self) -> bool:
        return False


class Quick(SizedCase):
    """A case that every candidate is checked on."""

    @property
    def is_quick(self) -> bool:
        return True


@dataclass(frozen=True)
class Large(Sample):
    """One that sleeps at its own sizes."""

    small: Sample | None = None

    def smaller(self) -> Winner | None:
        return self.small


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
    quick: Any = type("Quick", (), {"is_quick": True, "small": None})()
    winner = Sample(NOTHING, NOTHING, {}, (quick,), seconds=60.0)
    check_winner(winner, best, console(), 0.0)
    out = " ".join(capsys.readouterr().out.split())
    assert "no time to run the winner in an interpreter" in out
    assert "the kernel-level interpreter has checked it" in out


def large(small: Sample, seconds: float) -> Large:
    return Large(NOTHING, NOTHING, {}, (), seconds=seconds, small=small)


@pytest.mark.slow
def test_smaller_sizes_are_waited_for() -> None:
    """Also if the budget is over; then the own sizes are left out."""
    lines = checked_winner(large(sample(seconds=1.5), 60.0), 0.0)
    assert lines == ["the winner is correct in an interpreter: so it is"]


@pytest.mark.slow
def test_own_sizes_follow_if_there_is_time() -> None:
    lines = checked_winner(large(sample(), 0.0), 20.0)
    assert len(lines) == 2 and lines[0] == lines[1]
    first, last = checked_winner(large(sample(), 60.0), 2.5)
    assert "is correct" in first
    assert "no time to run the winner at its own sizes in an interpreter" in last


def test_without_a_budget_the_own_sizes_are_checked_alone() -> None:
    assert len(checked_winner(large(sample(ok=False), 0.0), None)) == 1


def test_a_winner_that_is_wrong_at_smaller_sizes_is_wrong() -> None:
    with pytest.raises(WrongWinnerError):
        checked_winner(large(sample(ok=False), 0.0), 20.0)


def test_which_winners_have_smaller_sizes() -> None:
    payload = parse_payload(LARGE)
    small = Winner(payload, NOTHING, {}, [Uncomputed(payload, 0)]).smaller()
    assert small is not None and small.cases[0].small is not None
    assert small.smaller() is None
    two = [Uncomputed(payload, seed) for seed in (0, 1)]
    assert Winner(payload, NOTHING, {}, two).smaller() is None
    assert Winner(payload, NOTHING, {}, [Quick(payload, 0)]).smaller() is None
