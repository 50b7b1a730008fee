"""The study of tuning cost on a recording whose figures are known."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from support.tuning import recorded_cost
from support.tuning.recorded_study import LARGE, SMALL, lines, microseconds, write
from tilewright.ir.errors import UserError
from tilewright.tuning.replay.sources import read_recordings
from tilewright.tuning.replay.study.recording import StudyRecording
from tilewright.tuning.replay.study.report import study_of
from tilewright.tuning.replay.study.simulated_runs import (
    Draws,
    Early,
    SimulatedInput,
    frontier,
)


@pytest.fixture
def recording(tmp_path: Path) -> StudyRecording:
    return StudyRecording.load(write(tmp_path / "study.jsonl.xz"))


def settings(
    configurations: int, milliseconds: float, early: int = 2, threshold: float = 1.0
) -> Draws:
    return Draws(
        np.array([configurations]),
        np.array([milliseconds]),
        Early(np.array([early]), np.array([threshold])),
    )


def test_what_is_read(recording: StudyRecording) -> None:
    assert set(recording.study) == {LARGE, SMALL}
    assert list(recording.invalid) == [7]
    # The pool of one process did the drawn; the others took a quarter longer beside
    # others.
    assert set(recording.compile_seconds.values()) == {1.0}
    assert len(recording.compile_seconds) == 48
    timing = recording.study[LARGE][1]
    assert timing.median_us == 15.0 and timing.between_us == pytest.approx(90.0)
    assert timing.around_seconds == pytest.approx(0.002)


def test_overhead_is_that_of_the_published_times(recording: StudyRecording) -> None:
    """However short the recorded timing was: its parts are scaled by the launches."""
    each = microseconds(1)
    expected = 0.002 + (25_000 // (each + 90)) * each / 1e6
    expected += (100_000 // (each + 90)) * 90 / 1e6
    for extents in (LARGE, SMALL):
        found = recording.study[extents][1].overhead_seconds
        assert found == pytest.approx(expected)


def test_a_run_over_all_configurations(recording: StudyRecording) -> None:
    simulated = SimulatedInput(recording, LARGE)
    outcome = simulated.simulate(settings(7, 20.0), runs=3).whole
    assert outcome.compile_seconds[0] == pytest.approx(7.0)
    # 20 ms would be 2000 launches of the fastest; 100 ms with clears are 1000.
    seconds = 0.0
    for number, timing in recording.study[LARGE].items():
        each = microseconds(number)
        launches = min(math.floor(20_000 / each) + 1, int(100_000 // (each + 90)))
        seconds += launches * each / 1e6 + timing.overhead_seconds
    assert outcome.other_seconds[0] == pytest.approx(seconds)
    flops = 2.0 * 4096 * 256 * 4096
    assert outcome.tflops[0] == pytest.approx(flops / microseconds(0) / 1e6)
    # Four processes compile seven configurations in two rounds.
    parallel = outcome.seconds_with(4, np.array([7]))
    assert outcome.seconds[0] - parallel[0] == pytest.approx(5.0)


def test_one_configuration_has_the_mean_speed(recording: StudyRecording) -> None:
    simulated = SimulatedInput(recording, LARGE)
    found = simulated.simulate(settings(1, 10.0), runs=4000).whole
    assert found.tflops[0] == pytest.approx(simulated.tflops.mean(), rel=0.02)


def test_early_stopping_saves_launches_of_slower_ones(
    recording: StudyRecording,
) -> None:
    simulated = SimulatedInput(recording, LARGE)
    whole, early = simulated.simulate(settings(7, 10.0, early=2), runs=50)
    assert early.tflops[0] == whole.tflops[0]
    assert early.other_seconds[0] < whole.other_seconds[0]
    # Where all launches come before the decision, nothing is saved.
    late = simulated.simulate(settings(7, 0.05, early=50), runs=50)
    assert late.early.other_seconds[0] == pytest.approx(late.whole.other_seconds[0])


def test_the_frontier_has_no_row_that_another_beats() -> None:
    seconds = np.array([3.0, 1.0, 2.0, 2.5, 4.0])
    speed = np.array([0.9, 0.5, 0.4, 0.9, 0.95])
    assert frontier(seconds, speed) == [1, 3, 4]


def test_the_report(recording: StudyRecording) -> None:
    found = study_of(recording, draws=20, runs=3, runs_of_each=2)
    assert found["configurations"]["drawn"] == 8
    assert found["configurations"]["reasons"] == {"too much shared memory": 1}
    assert found["configurations"]["compile_seconds_of_invalid"] == 1.0
    assert found["repetition_ms"] == {
        "published": 100.0,
        "frontier_input": 100.0,
        "others": 20.0,
    }
    with_clear, without = found["kernels"]
    assert with_clear["clear_seconds"] == 0.01 and without["clear_seconds"] == 0.0
    assert with_clear["kernel_us"] == pytest.approx(100.0)
    clears = [(row["clear_bytes"], row["speedup"]) for row in found["clears"]]
    assert [size for size, _ in clears] == [256 << 20, 1 << 20, 0]
    assert clears[0][1] == 1.0 < clears[1][1] < clears[2][1]
    pools = {row["processes"]: row["speedup"] for row in found["pools"]}
    assert pools == {1: 1.0, 4: 3.2}
    assert found["complete"] and found["inputs"] == 2


def test_thirty_random_trials_of_the_full_space(recording: StudyRecording) -> None:
    full = study_of(recording, draws=2, runs=1, runs_of_each=1)["full"]
    assert full["points"] == full["valid"] == 40 and full["in_top"] == 2
    expected = 1 - math.comb(38, 30) / math.comb(40, 30)
    assert full["chance_in_top"]["valid"] == pytest.approx(expected, abs=1e-4)
    # Number 8 is the best of them; the next is 10% slower, so one alone is within 5%.
    assert full["near_best"] == 1
    assert full["chance_near_best"]["valid"] == 0.75
    rng = np.random.default_rng(0)
    speeds = 1 / np.array([microseconds(number) for number in range(8, 48)])
    drawn = [rng.permutation(40)[:30].min() for _ in range(4000)]
    mean = (speeds[drawn] / speeds[0]).mean()
    assert full["expected_speed"] == pytest.approx(mean, abs=2e-3)


def test_a_recording_that_was_cut_short(tmp_path: Path) -> None:
    path = write(tmp_path / "study.jsonl.xz", lines()[:7])
    found = StudyRecording.load(path)
    assert not found.is_ended and list(found.study) == [LARGE]
    path.write_bytes(path.read_bytes()[:-300])
    found = StudyRecording.load(path)
    assert list(found.study) == [LARGE] and found.full_space is None
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(UserError, match="not a recording of tuning cost"):
        StudyRecording.load(path)


def test_an_earlier_recording_is_read(tmp_path: Path) -> None:
    path = recorded_cost.write(tmp_path / "cost.json.xz")
    found = study_of(StudyRecording.load(path), draws=10, runs=2, runs_of_each=1)
    assert found["version"] == 1 and found["full"] is None
    assert found["estimates"] is None and found["kernels"] == []
    assert [row["clear_bytes"] for row in found["clears"]] == [1 << 20, 0]


def test_every_input_and_the_full_space_can_be_replayed(tmp_path: Path) -> None:
    path = write(tmp_path / "study.jsonl.xz")
    found = {one.name: one for one in read_recordings(path)}
    assert list(found) == [
        "4096x256x4096, clear of 256 MB",
        "256x256x256, clear of 256 MB",
        "4096x256x4096, the full space",
    ]
    assert len(found["4096x256x4096, the full space"].points) == 40
    assert found["256x256x256, clear of 256 MB"].best.milliseconds == 0.01
