"""Facts about options, time spent, limits and suggestions; small and empty logs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from support.project.documented_formats import assert_documented, section
from support.tuning.logs import log_of, planted, trial
from tilewright.tuning.explaining.effects import NoEffects
from tilewright.tuning.explaining.explanation import Explanation, explain
from tilewright.tuning.explaining.limits import limits_of
from tilewright.tuning.explaining.option_facts import ChoiceFacts, OptionFacts
from tilewright.tuning.explaining.tuning_log import LoggedTrial
from tilewright.tuning.learning.features import TABLE

ALL = planted(noise=0.0)


def facts(found: Explanation, name: str) -> ChoiceFacts:
    return next(one for one in found.choices if one.name == name)


def option(found: Explanation, name: str, value: object) -> OptionFacts:
    return next(o for o in facts(found, name).options if o.value == value)


def test_the_best_point_of_every_option_and_its_time_at_the_winner() -> None:
    found = explain(ALL)
    best = ALL.best
    assert best is not None and best.point["BM"] == 128 and best.point["warps"] == 8
    small = option(found, "BM", 32)
    # At the winner's 8 warps, BM = 32 costs more than with the warps that suit it.
    assert small.at_winner == pytest.approx(2.0034, rel=1e-3)  # exp(0.5 + 0.4 + 0.2)
    assert small.behind == pytest.approx(1.0138, rel=1e-3)  # exp(0.5 + 0.2)
    assert small.best_point is not None and small.best_point["warps"] != 8
    assert (small.tried, small.failed) == (len(ALL.trials) // 3, 0)
    # Another branch is compared, though it opens other choices.
    assert option(found, "loads", "pointers").at_winner == pytest.approx(
        0.1618, rel=1e-3
    )
    assert option(found, "loads", "descriptors").at_winner == 0.0
    assert facts(found, "loads").structural and not facts(found, "BN").structural


def test_programs_near_the_best() -> None:
    assert ALL.near_best(0.01) == 0  # the unused choice gives the same program
    assert ALL.near_best(10.0) == len({one.program for one in ALL.trials}) - 1
    assert log_of([]).near_best(0.01) == 0


def test_choices_that_changed_nothing_and_options_without_a_result() -> None:
    trials = [
        replace(one, outcome="pruned") if one.point["BN"] == 128 else one
        for one in ALL.trials
        if one.point["warps"] != 4
    ]
    found = explain(replace(ALL, trials=tuple(trials)))
    (inert,) = found.inert
    # Trials with warps = 4 are missing: the claim is about those that there are.
    assert (inert.name, inert.kind) == ("unused", "same in trials")
    assert inert.text.endswith("pairs of points compared")
    assert facts(found, "warps").untried == (4,)
    assert facts(found, "BN").never_worked == (128,)
    assert any("`require` against BN = 128" in line for line in found.suggestions)
    assert not any("unused: close it" in line for line in found.suggestions)


def test_a_choice_is_closed_only_if_every_point_was_built() -> None:
    found = explain(ALL)
    assert [(one.name, one.kind) for one in found.inert] == [("unused", "same program")]
    assert found.inert[0].text.endswith("at any valid point")
    assert any(line.startswith("unused: close it") for line in found.suggestions)


def test_a_winner_at_the_end_of_its_options() -> None:
    found = explain(ALL)
    lines = [line for line in found.suggestions if "winner has" in line]
    assert lines[0].startswith("BM: the winner has the largest option, 128")
    assert any(line.startswith("BN: the winner has the smallest") for line in lines)
    assert not any(line.startswith("unused") for line in lines)


def test_stopping_earlier() -> None:
    ms = [3.0, 2.0, None, 1.1, 1.0, 1.5, 1.0, 2.0]
    trials = [
        LoggedTrial({"A": n}, "ok" if time else "crash", p50=time, ended=float(n + 1))
        for n, time in enumerate(ms)
    ]
    found = explain(log_of(trials))
    assert [(s.trial, s.milliseconds) for s in found.improvements] == [
        (1, 3.0),
        (2, 2.0),
        (4, 1.1),
        (5, 1.0),
    ]
    data = found.as_json()
    within = {entry["behind"]: entry["trial"] for entry in data["within"]}
    assert within == {0.1: 4, 0.05: 5, 0.02: 5, 0.01: 5, 0.0: 5}
    half = next(entry for entry in data["stopped_after"] if entry["share"] == 0.5)
    assert (half["trials"], half["milliseconds"]) == (4, 1.1)
    assert half["behind"] == pytest.approx(0.1)


def test_without_a_clock_trials_are_counted() -> None:
    untimed = [replace(one, ended=None) for one in ALL.trials]
    found = explain(log_of(untimed))
    assert all(stop.seconds is None for stop in found.stops)
    assert [stop.trials for stop in found.stops][-1] == len(untimed)


def test_where_the_time_went() -> None:
    trials = (*ALL.trials[:4], LoggedTrial({}, "crash", seconds={"compile": 6.0}))
    log = replace(ALL, trials=trials, stage_seconds={"compile": 9.0, "waiting": 2.0})
    stages = {stage.stage: stage for stage in explain(log).stages}
    assert list(stages) == ["transform", "compile", "time", "waiting"]
    assert stages["compile"].seconds == 9.0  # the run's own account
    assert stages["compile"].failed_seconds == 6.0
    assert stages["compile"].mean_seconds == pytest.approx(2.0)
    assert stages["waiting"].mean_seconds is None


def test_limits() -> None:
    features = {
        "problem.bytes": 30.0,
        "problem.flops": 40.0,
        "device.hbm": 4.8,
        "dot.count": 1.0,
        "dot.peak": 10.0,
        "estimate.ms": 1.0,
        "estimate.compute": 0.9,
        "estimate.hbm": 0.2,
    }
    limits = limits_of(2.0, features)
    assert limits is not None and limits.tflops == pytest.approx(549.8, abs=0.1)
    assert limits.compute_share == pytest.approx(0.537, abs=1e-3)
    assert limits.verdict.endswith("the longest part, by the cost model: arithmetic")
    assert "near" in (limits_of(1.2, features) or limits).verdict
    memory = limits_of(0.25, {**features, "dot.count": 0.0})
    assert memory is not None and memory.tflops is None
    assert "memory" in memory.verdict
    assert limits_of(1.0, {}) is None


@pytest.mark.parametrize(
    "trials",
    [
        [],
        [LoggedTrial({}, "ok", p50=1.0)],
        [LoggedTrial({"A": 1}, "crash", error="illegal memory access")],
        [LoggedTrial({"A": n}, "invalid") for n in range(20)],
        [trial(one.point) for one in ALL.trials[:3]],
        [LoggedTrial({"A": n}, "ok", str(n), p50=1.0 + n) for n in range(3)],
        [LoggedTrial({"A": True}, "ok", p50=1.0), LoggedTrial({"A": 1}, "ok", p50=2.0)],
    ],
)
def test_small_logs(trials: list[LoggedTrial]) -> None:
    found = explain(log_of(trials))
    assert isinstance(found.effects, NoEffects)
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["run"][
        "trials"
    ] == len(trials)


def test_json_has_everything() -> None:
    data = json.loads(json.dumps(explain(ALL).as_json(), allow_nan=False))
    assert data["format"] == "tilewright-explanation-1"
    assert data["effects"]["choices"][0]["name"] == "BM"
    assert data["no_effects_because"] is None
    assert data["best"]["point"] == ALL.best.point if ALL.best else None
    assert {entry["name"] for entry in data["choices"]} == set(ALL.space.choices)
    assert data["run"]["valid_points"] == len(ALL.trials)


def test_every_field_is_documented() -> None:
    log = planted(60)
    failed = replace(log.trials[0], outcome="crash", error="illegal memory access")
    features = {name: 1.0 for name in TABLE}
    trials = (failed, *(replace(one, features=features) for one in log.trials[1:]))
    found = explain(replace(log, trials=trials)).as_json()
    assert_documented(json.loads(json.dumps(found)), section("Explanations"))
