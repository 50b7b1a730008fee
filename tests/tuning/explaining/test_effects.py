"""Planted effects are found again, with intervals that hold them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.tuning.logs import log_of, log_time, planted, trial, true_effect
from tilewright.tuning.explaining.effects import (
    ChoiceEffect,
    Effects,
    NoEffects,
    find_effects,
)
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog


def effects_of(log: TuningLog) -> Effects:
    found = find_effects(log)
    assert isinstance(found, Effects)
    return found


def choice(found: Effects, name: str) -> ChoiceEffect:
    return next(effect for effect in found.choices if effect.name == name)


def difference(effect: ChoiceEffect, value: object) -> float:
    """The log time of an option over that of the best."""
    option = next(option for option in effect.options if option.value == value)
    return math.log1p(option.slowdown.value)


@pytest.mark.slow
@pytest.mark.sampled(50)
@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_planted_effects_are_recovered(eager: bool, known: bool) -> None:
    found = effects_of(planted(120, eager=eager, known=known))
    assert found.held_out_share > 0.9
    assert found.whole_space is known
    for name, best in (("BM", 128), ("BN", 32), ("loads", "descriptors"), ("S", 3)):
        effect = choice(found, name)
        assert effect.best.value == best
        for option in effect.options:
            true = true_effect(log_time, name, option.value, best)
            assert difference(effect, option.value) == pytest.approx(true, abs=0.06)
    assert found.choices[0].name == "BM"
    pair = found.pairs[0]
    assert (pair.first, pair.second) == ("BM", "warps")
    assert (pair.cells[0].first, pair.cells[0].second) == (32, 8)


def test_a_pair_that_was_not_planted_has_no_share() -> None:
    found = effects_of(planted(noise=0.0))
    planted_pair, *others = found.pairs
    assert {planted_pair.first, planted_pair.second} == {"BM", "warps"}
    assert all(pair.share.value < 0.002 for pair in others)
    assert sum(c.share.value for c in found.choices) + planted_pair.share.value == (
        pytest.approx(1.0, abs=0.05)
    )


def test_an_unused_choice_has_no_effect() -> None:
    unused = choice(effects_of(planted(noise=0.01)), "unused")
    assert unused.share.value < 0.001 and unused.range < 0.01


@pytest.mark.slow
def test_intervals_hold_the_planted_effects() -> None:
    held, total = 0, 0
    for seed in range(12):
        found = effects_of(planted(60, seed=seed, noise=0.05))
        for effect in found.choices:
            best = effect.best.value
            for option in effect.options:
                if option is not effect.best:
                    true = true_effect(log_time, effect.name, option.value, best)
                    held += (
                        option.slowdown.low
                        <= math.expm1(true)
                        <= (option.slowdown.high)
                    )
                    total += 1
    assert held / total > 0.85


def test_more_trials_narrow_the_intervals() -> None:
    def width(count: int) -> float:
        effect = choice(effects_of(planted(count, noise=0.05)), "BM")
        slowdown = effect.options[0].slowdown
        return slowdown.high - slowdown.low

    assert width(200) < 0.7 * width(40)


def test_the_average_does_not_follow_the_search() -> None:
    """Plain means of the trials would favour what good points have by chance."""
    log = planted(noise=0.0)
    fast_with_pointers = [
        one
        for one in log.trials
        if one.point["loads"] == "descriptors" or one.point["BM"] == 128
    ]
    biased = replace(log, trials=tuple(fast_with_pointers))
    times: dict[str, list[float]] = {"pointers": [], "descriptors": []}
    for one in biased.trials:
        times[str(one.point["loads"])].append(math.log(one.milliseconds or 1.0))
    means = {name: sum(found) / len(found) for name, found in times.items()}
    assert means["pointers"] < means["descriptors"]  # a wrong conclusion
    assert choice(effects_of(biased), "loads").best.value == "descriptors"


@given(st.integers(0, 7), st.booleans())
def test_few_trials_give_a_reason(count: int, known: bool) -> None:
    found = find_effects(planted(count, known=known))
    assert isinstance(found, NoEffects) and found.reason


def test_noise_alone_is_no_effect() -> None:
    log = planted(60)
    level = [
        replace(one, p50=1.0 + 0.01 * (n * 7919 % 13))
        for n, one in enumerate(log.trials)
    ]
    found = find_effects(replace(log, trials=tuple(level)))
    assert isinstance(found, NoEffects) and "variation" in found.reason


def test_equal_times_and_single_options() -> None:
    log = planted(20)
    same = [replace(one, p50=1.0) for one in log.trials]
    assert isinstance(find_effects(replace(log, trials=tuple(same))), NoEffects)
    fixed = {"BM": 32, "BN": 32, "warps": 2, "unused": 1, "loads": "pointers"}
    one_option = [trial(fixed, program=str(n)) for n in range(12)]
    found = find_effects(log_of(one_option))
    assert isinstance(found, NoEffects)
    no_choices = [LoggedTrial({}, "ok", p50=1.0)]
    found = find_effects(log_of(no_choices))
    assert isinstance(found, NoEffects) and "no open choices" in found.reason
