"""Programs that are timed again while the device waits, and what becomes of it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support.tuning.records import record
from support.tuning.samples import broken
from tilewright.codegen.targets import target_named
from tilewright.tuning.averages import without_drift
from tilewright.tuning.final_round import choose_finalists
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import TuneOptions
from tilewright.tuning.own_kernels.inline_pool import InlinePool
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.stages.leaders import Leaders, has_leaders
from tilewright.tuning.workers.worker_pool import ProcessPool

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)
SLOW = broken("    time.sleep(0.004)\n    return a + 1")
FAST = broken("    return a + 1")
RAISES = broken("    raise ValueError('no such tile')")


@pytest.fixture
def options(tmp_path: Path) -> TuneOptions:
    target = target_named("h200")
    return TuneOptions(target, tmp_path, device="cpu", timing=QUICK)


@pytest.fixture
def references(tmp_path: Path) -> tuple[Reference, ...]:
    (a,) = random_inputs(FAST.arguments, seed=4)
    np.save(tmp_path / "reference.npy", a + 1)
    files = (tmp_path / "reference.npy",)
    return (Reference(FAST.arguments, FAST.results, 4, files, 1),)


def test_the_drift_of_rounds_is_no_difference_of_programs() -> None:
    """`b` is 1% slower than `a`, and was timed in the two slow rounds alone."""
    rounds = [
        {"a": 1.0, "c": 1.02},
        {"a": 1.1, "b": 1.111},
        {"b": 1.2 * 1.01, "c": 1.2 * 1.02},
    ]
    found = without_drift(rounds)
    assert found["b"] / found["a"] == pytest.approx(1.01, rel=1e-4)
    assert found["c"] / found["a"] == pytest.approx(1.02, rel=1e-4)
    usual = math.prod((1.0, 1.1, 1.2)) ** (1 / 3)
    assert found["a"] == pytest.approx(usual, rel=1e-3)
    assert without_drift([]) == {}


def test_a_lucky_trial_loses_its_place(
    options: TuneOptions, references: tuple[Reference, ...]
) -> None:
    """The slow program was faster in its trial."""
    pool = InlinePool()
    leaders = Leaders(pool, options)
    leaders.add(SLOW, references, 1.0)
    leaders.start()
    assert not leaders.is_busy  # there is nothing to compare it with
    leaders.add(RAISES, references, 1.03)  # too far from the best
    leaders.add(FAST, references, 1.01)
    leaders.start()
    assert leaders.is_busy
    for done in pool.collect():
        leaders.finish(done)
    assert not leaders.is_busy and leaders.seconds > 0
    assert set(leaders.times) == {FAST.key, SLOW.key}
    assert leaders.times[FAST.key] < 4.0 < leaders.times[SLOW.key]
    leaders.start()
    assert not leaders.is_busy  # the slow one is no leader any more
    trials = [
        Trial(1, record(1.0, point={"BM": 64}, program=SLOW.key), "new"),
        Trial(2, record(1.01, point={"BM": 128}, program=FAST.key), "new"),
    ]
    assert choose_finalists(trials, 1) == [trials[0]]
    assert choose_finalists(trials, 1, again=leaders.times) == [trials[1]]


def test_after_a_failure_nothing_is_timed_again(
    options: TuneOptions, references: tuple[Reference, ...]
) -> None:
    pool = InlinePool()
    leaders = Leaders(pool, options)
    leaders.add(RAISES, references, 1.0)
    leaders.add(FAST, references, 1.01)
    leaders.start()
    for done in pool.collect():
        leaders.finish(done)
    assert leaders.times == {}
    leaders.add(SLOW, references, 1.0)
    leaders.start()
    assert not leaders.is_busy


def test_only_a_run_with_a_card_of_its_own_has_leaders(options: TuneOptions) -> None:
    card = replace(options, device="cuda")
    with ProcessPool(1, "", limit=1.0) as pool:
        assert has_leaders(card, pool)
        assert not has_leaders(options, pool)
        assert not has_leaders(replace(card, per_size=True), pool)
        assert not has_leaders(replace(card, finalists=0), pool)
    assert not has_leaders(card, InlinePool())
