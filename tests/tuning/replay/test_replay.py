"""Replays: the file of a recorded space, the simulated clock, the regret."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.ir.errors import UserError
from tilewright.tuning.replay.machine import Machine, SimulatedStages, Work
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.search.strategies import STRATEGIES

SCHEDULE = """schedule small(root) {
  mm = match "linalg.matmul" in root
  BM = knob [16, 32, 64, 128]
  BN = knob [16, 32, 64, 128]
  require BM * BN <= 4096
  choose loads {
    pointers { }
    descriptors { S = knob [2, 3] }
  }
}
"""


def milliseconds(point: dict[str, object]) -> float:
    size = int(str(point["BM"])) * int(str(point["BN"]))
    return 1.0 + abs(size - 2048) / 1024 + (0.25 if point.get("S") == 2 else 0.5)


def recorded() -> RecordedSpace:
    empty = RecordedSpace("small", "module {}", SCHEDULE, "card", "torch 2", ())
    points: list[RecordedPoint] = []
    for number, point in enumerate(empty.space.points()):
        seconds = {"transform": 0.02, "emit": 0.02}
        if point["BM"] == 128 and point["BN"] == 16:
            failed = RecordedPoint(point, "invalid", seconds=seconds, error="too wide")
            points.append(failed)
            continue
        time = milliseconds(point)
        seconds |= {"compile": 1.0, "check": 0.01, "time": 0.04}
        one = RecordedPoint(
            point,
            "ok",
            f"program {number}",
            *(time * 0.99, time, time * 1.02),
            seconds,
            time * 1.1,
            {"tiles": float(number)},
        )
        points.append(one)
    return RecordedSpace(
        "small", "module {}", SCHEDULE, "card", "torch 2", tuple(points)
    )


def test_the_file_keeps_everything(tmp_path: Path) -> None:
    before = recorded()
    path = tmp_path / "small.space.xz"
    before.save(path)
    after = RecordedSpace.load(path)
    assert (after.schedule, after.device) == (before.schedule, before.device)
    assert after.is_complete and len(after.points) == len(before.points) == 39
    for one, other in zip(before.points, after.points, strict=True):
        assert (one.point, one.outcome) == (other.point, other.outcome)
        assert one.error == other.error
        if one.milliseconds is not None:
            assert other.milliseconds == pytest.approx(one.milliseconds, rel=1e-4)
            assert other.estimate == pytest.approx(one.estimate, rel=1e-4)
        assert other.seconds == one.seconds
        assert other.description == one.description
    assert after.best.point == before.best.point


def test_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "other.space.xz"
    path.write_bytes(b"not compressed")
    with pytest.raises(UserError, match="not a recorded space"):
        RecordedSpace.load(path)


@pytest.mark.parametrize("name", [n for n in STRATEGIES if n not in ("tpe", "gp")])
def test_every_strategy_finds_the_best_in_the_end(name: str) -> None:
    space = recorded()
    trace = replay(space, name, seed=1)
    assert len(trace.trials) == 39 and trace.unrecorded == 0
    assert trace.regret_after(39) == 0.0
    regrets = [trace.regret_after(count) or 0.0 for count in (12, 20, 39)]
    assert regrets == sorted(regrets, reverse=True)


def test_unrecorded_points_fail_and_are_counted() -> None:
    whole = recorded()
    half = RecordedSpace("half", "", SCHEDULE, "", "", whole.points[::2])
    trace = replay(half, "random", seed=0)
    assert trace.unrecorded == 39 - len(half.points)
    assert not half.is_complete


def test_seconds_of_one_point_after_the_other() -> None:
    trace = replay(recorded(), "grid", trials=3, count_strategy=False)
    ends = [trial.seconds for trial in trace.trials]
    # 4 s of start, then build, compile, check and time.
    assert ends == pytest.approx([5.09, 6.18, 7.27])
    assert trace.best_at(5.0) is None and trace.regret_at(5.1) is not None
    assert trace.seconds_to(10.0) == pytest.approx(5.09)


def test_compilers_work_in_parallel_and_the_device_does_not() -> None:
    stages = SimulatedStages(Machine(2, 3, compilers_start=0.0, device_starts=0.0))
    for number in range(4):
        stages.put(number, Work(0.5, 2.0, 1.0))
    ends: list[tuple[int, float]] = []
    while (number := stages.next_end()) is not None:
        ends.append((number, stages.now))
    # Builds end at 0.5, 0.5, 1, 1; compilations at 2.5, 2.5, 3, 4.5.
    assert ends == [(0, 3.5), (1, 4.5), (2, 5.5), (3, 6.5)]
    assert stages.measuring == 4.0


def test_previews_end_while_the_compilers_have_work() -> None:
    stages = SimulatedStages(Machine(1, 1, compilers_start=1.0, device_starts=0.0))
    for name in "abc":
        stages.preview(name, 0.4)
    # Until the compiler has started, there is time to wait.
    stages.wait_for("abc", patient=False)
    assert stages.built == {"a", "b"} and stages.now == 1.0
    stages.wait_for("abc", patient=True)
    assert stages.built == {"a", "b", "c"} and stages.now == pytest.approx(1.2)
    assert stages.outstanding == 0 and stages.next_end() is None


def test_equal_programs_are_compiled_once() -> None:
    space = recorded()
    same = [
        RecordedPoint(o.point, o.outcome, "same", o.p20, o.p50, o.p80, o.seconds)
        for o in space.points
    ]
    copied = RecordedSpace("same", "", SCHEDULE, "", "", tuple(same))
    once = replay(copied, "grid", count_strategy=False).trials[-1].seconds
    each = replay(space, "grid", count_strategy=False).trials[-1].seconds
    assert once == pytest.approx(4 + 1.05 + 39 * 0.04)
    assert each > 30
