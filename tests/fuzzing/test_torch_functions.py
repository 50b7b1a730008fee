"""The fuzzer of torch functions, bounded: `tests/fuzz/run_torch.py` runs it longer."""

from __future__ import annotations

import pytest

from fuzz.torch_functions.drawing import draw_function
from fuzz.torch_functions.fuzzer import TorchFuzzer
from tilewright.codegen.runtime.source_cache import SETTING
from tilewright.torch_backend import graph_cache

LONG = 900.0
"""Seconds; the number of functions ends a run, so that every machine tries the same."""


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "off")
    monkeypatch.setattr(graph_cache, "_folder", lambda: None)


def run(fuzzer: TorchFuzzer) -> None:
    reports: list[str] = []
    fuzzer.found = lambda found: reports.append(found.report())
    fuzzer.run()
    assert not reports, "\n".join(reports)
    assert fuzzer.statistics.whole >= fuzzer.statistics.functions // 2 > 0


@pytest.mark.slow
def test_a_few_functions_have_no_fallback_of_our_own() -> None:
    run(TorchFuzzer(2026, LONG, functions=3))


@pytest.mark.slow
def test_functions_have_no_fallback_of_our_own() -> None:
    run(TorchFuzzer(3000, LONG, functions=120))


def test_a_seed_draws_the_same_function_again() -> None:
    sources = [draw_function(seed).source for seed in range(8)]
    assert sources == [draw_function(seed).source for seed in range(8)]
    assert len({*sources}) == 8
