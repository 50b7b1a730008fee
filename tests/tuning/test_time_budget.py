"""The deadlines of a run: what is kept for the end may become less."""

from __future__ import annotations

from pathlib import Path

from tilewright.codegen.targets import target_named
from tilewright.tuning.options import TuneOptions
from tilewright.tuning.time_budget import TimeBudget


def test_time_that_the_end_no_longer_needs_goes_back_to_the_search() -> None:
    options = TuneOptions(target_named("h200"), Path("unused"), device=None, budget=40)
    budget = TimeBudget(options)
    budget.keep(20.0)
    assert 18.0 < budget.search_left() <= 20.0
    budget.keep(5.0)
    assert 33.0 < budget.search_left() < budget.left() <= 40.0
