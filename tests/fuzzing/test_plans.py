"""The planner's fuzzer, bounded: `python tests/fuzz/run_plans.py` runs it longer."""

from __future__ import annotations

import pytest

from fuzz.plans.fuzzer import PlanFuzzer

LONG = 900.0
"""Seconds; the number of payloads ends a run, so that every machine plans the same."""


def run(fuzzer: PlanFuzzer) -> None:
    reports: list[str] = []
    fuzzer.found = lambda found: reports.append(found.report())
    fuzzer.run()
    assert not reports, "\n".join(reports)
    assert fuzzer.statistics.points >= fuzzer.statistics.payloads // 2 > 0


@pytest.mark.parametrize("payloads", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_a_few_planned_payloads_keep_their_numbers(payloads: int) -> None:
    run(PlanFuzzer(2026, LONG, payloads=payloads, points=1, batch=0))


@pytest.mark.slow
def test_planned_payloads_keep_their_numbers() -> None:
    run(PlanFuzzer(3000, LONG, payloads=30))
