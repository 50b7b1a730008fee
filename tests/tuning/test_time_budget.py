"""The deadlines of a run: what is kept for the end may become less."""

from __future__ import annotations

from pathlib import Path

from tilewright.codegen.targets import target_named
from tilewright.commands.tune.check_winner import kept_for_check
from tilewright.tuning.options import TuneOptions
from tilewright.tuning.time_budget import TimeBudget


def test_time_that_the_end_no_longer_needs_goes_back_to_the_search() -> None:
    options = TuneOptions(target_named("h200"), Path("unused"), device=None, budget=40)
    budget = TimeBudget(options)
    budget.keep(20.0)
    assert 18.0 < budget.search_left() <= 20.0
    budget.keep(5.0)
    assert 33.0 < budget.search_left() < budget.left() <= 40.0


def test_time_that_the_caller_needs_is_kept() -> None:
    options = TuneOptions(
        target_named("h200"), Path("unused"), device=None, budget=40, kept=10.0
    )
    assert TimeBudget(options).search_left() < 30.0
    assert kept_for_check(20.0) == 5.0 and kept_for_check(3600.0) == 15.0
