"""The planner's fuzzer, bounded: `python tests/fuzz/run_plans.py` runs it longer."""

from __future__ import annotations

import os

import pytest

from fuzz.plans.fuzzer import PlanFuzzer

SECONDS = 120 if os.environ.get("CI") == "true" else 30


def run(fuzzer: PlanFuzzer) -> None:
    reports: list[str] = []
    fuzzer.found = lambda found: reports.append(found.report())
    fuzzer.run()
    assert not reports, "\n".join(reports)
    assert fuzzer.statistics.points >= fuzzer.statistics.payloads // 2 > 0


def test_a_few_planned_payloads_keep_their_numbers() -> None:
    run(PlanFuzzer(2026, 60.0, payloads=8, points=1, batch=0))


@pytest.mark.slow
def test_planned_payloads_keep_their_numbers() -> None:
    run(PlanFuzzer(3000, SECONDS, payloads=80))
