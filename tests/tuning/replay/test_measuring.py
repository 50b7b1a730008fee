"""Replays with fewer repetitions, stopping rules, spaces without a schedule."""

from __future__ import annotations

import random
import statistics

import pytest

from tilewright.ir.errors import UserError
from tilewright.tuning.replay.comparison import Setting, endings, row
from tilewright.tuning.replay.machine import Machine
from tilewright.tuning.replay.measuring import Measuring, launch_time
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.replay.trace import ReplayedTrial, Stop, Trace

NOISY = (0.9, 0.95, 1.0, 1.05, 1.1)


def listed(times: dict[tuple[int, int], float]) -> RecordedSpace:
    """Points of two choices, without a schedule; a compilation takes a second."""
    points = tuple(
        RecordedPoint(
            {"BM": bm, "warps": warps},
            "ok",
            f"{bm} {warps}",
            *(time, time, time),
            {"compile": 1.0, "check": 0.01, "time": 0.1},
            samples=tuple(time * factor for factor in NOISY),
            clear_ms=0.0,
        )
        for (bm, warps), time in times.items()
    )
    return RecordedSpace("listed", "", "", "card", "", points)


def diagonal() -> RecordedSpace:
    """Ten of twenty-five combinations; the last is the fastest, by half."""
    times = {(16 * n, w): 2.0 - 0.1 * n for n in range(1, 6) for w in (n, n + 1)}
    return listed({**times, (80, 6): 1.0})


def test_a_space_without_a_schedule_is_its_points() -> None:
    recorded = diagonal()
    assert recorded.is_complete and recorded.space.count_valid() == 10
    trace = replay(recorded, "random", seed=3)
    assert trace.unrecorded == 0 and len(trace.trials) == 10
    assert trace.regret_after(10) == 0.0


def test_points_with_different_choices_need_a_schedule() -> None:
    points = (RecordedPoint({"BM": 1}, "ok"), RecordedPoint({"BN": 1}, "ok"))
    with pytest.raises(UserError, match="different choices"):
        _ = RecordedSpace("mixed", "", "", "", "", points).space


def test_the_median_of_many_launches_is_the_recorded_one() -> None:
    point = diagonal().best
    rng = random.Random(0)
    few = [Measuring(1.0).measure(point, rng, None) for _ in range(300)]
    many = [Measuring(500.0).measure(point, rng, None) for _ in range(300)]
    assert {one.milliseconds for one in few} == set(NOISY)
    assert {one.milliseconds for one in many} == {1.0}
    assert statistics.mean(one.seconds for one in few) == pytest.approx(0.011)
    assert statistics.mean(one.seconds for one in many) == pytest.approx(0.51)


def test_percentiles_stand_for_launches() -> None:
    point = RecordedPoint({}, "ok", "", 0.9, 1.0, 1.3)
    assert launch_time(point, 0.2) == pytest.approx(0.9)
    assert launch_time(point, 0.5) == pytest.approx(1.0)
    assert launch_time(point, 0.8) == pytest.approx(1.3)
    rng = random.Random(1)
    medians = [Measuring(1.1).measure(point, rng, None) for _ in range(2000)]
    spread = statistics.quantiles([one.milliseconds for one in medians], n=5)
    assert spread[0] == pytest.approx(0.9, abs=0.02)
    assert spread[3] == pytest.approx(1.3, abs=0.03)


def test_points_that_are_much_slower_are_timed_shortly() -> None:
    point = diagonal().best
    measuring = Measuring(100.0, warm_up_ms=0.0, slower=1.3)
    rng = random.Random(0)
    assert measuring.measure(point, rng, None).seconds == pytest.approx(0.11)
    assert measuring.measure(point, rng, 1.0).seconds == pytest.approx(0.11)
    assert measuring.measure(point, rng, 0.5).seconds == pytest.approx(0.015)


def test_noise_makes_a_search_choose_a_worse_point() -> None:
    recorded = listed({(16, 1): 1.0, (32, 1): 1.04})
    winners = [
        replay(recorded, "random", seed=seed, measuring=Measuring(0.1)).ending(Stop())
        for seed in range(200)
    ]
    wrong = sum(one.milliseconds == 1.04 for one in winners)
    # Of 25 equally likely pairs of launches, 1.04 times a factor wins in 9 or 10.
    assert 0.3 < wrong / 200 < 0.5
    exact = replay(recorded, "random", seed=0).ending(Stop())
    assert exact.regret == 0.0


def trial(number: int, milliseconds: float | None) -> ReplayedTrial:
    return ReplayedTrial(number, float(number), milliseconds, {})


def test_rules_that_stop_a_search() -> None:
    times = [None, 3.0, 2.0, 1.995, 2.5, None, 1.0]
    trace = Trace(tuple(trial(n + 1, t) for n, t in enumerate(times)), 1.0, 0, 0.0)
    assert trace.ending(Stop()).regret == 0.0
    assert trace.ending(Stop(trials=1)).regret is None
    after = trace.ending(Stop(trials=3))
    assert (after.trials, after.seconds, after.regret) == (3, 3.0, 1.0)
    at = trace.ending(Stop(seconds=2.5))
    assert (at.trials, at.seconds, at.milliseconds) == (2, 2.5, 3.0)
    # 1.995 is not a gain over 2.0: three trials after it the search ends.
    early = trace.ending(Stop(until_no_gain=3))
    assert (early.trials, early.milliseconds) == (6, 1.995)
    assert trace.ending(Stop(until_no_gain=4)).milliseconds == 1.0
    assert str(Stop(30, 15.0, 20)) == "30 trials, 15 s, 20 without gain"


def test_a_replay_ends_when_all_rules_are_met() -> None:
    recorded = diagonal()
    stops = (Stop(until_no_gain=1), Stop(trials=3))
    trace = replay(recorded, "grid", stops=stops)
    assert len(trace.trials) == 3
    # The second point has the time of the first.
    assert trace.ending(stops[0]).trials == 2
    assert trace.ending(stops[0]).milliseconds == 1.9
    assert trace.ending(stops[1]).milliseconds == 1.8


def test_more_compilers_save_the_seconds_of_compiling() -> None:
    recorded = diagonal()
    stop = Stop(trials=10)
    one, ten = (
        [
            endings(recorded, Setting("random", {}, c), seed, [stop])[0]
            for seed in (0, 1)
        ]
        for c in (1, 10)
    )
    slow, fast = row("", Setting("random"), stop, one), row("", Setting("x"), stop, ten)
    # Ten compilations of a second and the last measurement, or one compilation, the
    # start of the device and ten measurements.
    machine = Machine()
    assert slow.seconds.mean == pytest.approx(machine.compilers_start + 10.11, abs=0.05)
    assert fast.seconds.mean == pytest.approx(machine.device_starts + 1.1, abs=0.05)
    assert slow.speed.mean == fast.speed.mean == 1.0
    assert slow.within == 1.0 and slow.replays == 2
