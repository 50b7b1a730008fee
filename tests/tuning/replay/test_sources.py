"""What can be replayed: recorded spaces, results files, recordings of tuning cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.recorded_cost import CLEARS, LARGE, write
from support.tuning.records import HERE, log, made
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.replay.sources import read_recordings
from tilewright.tuning.replay.tuning_cost import TuningCost
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run

SCHEDULE = to_text(
    Schedule.from_text("schedule open(root) { BM = knob [1, 2, 3] }").module
)


def test_a_results_file_is_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    setting = replace(HERE, schedule=text_hash(SCHEDULE), schedule_name="gemm.tw")
    texts = {setting.schedule: SCHEDULE}
    with Database(path) as database:
        run = RunLog(database, Run(0, setting, measured=True), texts=texts)
        for number, ms in ((1, 2.0), (2, 1.0), (3, None)):
            taken = () if ms is None else ((1.1 * ms, ms, 0.9 * ms),)
            found = made(number, ms, setting=setting)
            run.record(found, number, "new", samples=taken)
        run.end("finished", 1.0, {})
    (recorded,) = read_recordings(path)
    assert recorded.name == "gemm.mlir, gemm.tw"
    assert recorded.is_complete and recorded.device == "NVIDIA H200"
    assert recorded.best.point == {"BM": 2}
    assert recorded.best.samples == pytest.approx((0.9, 1.0, 1.1))
    assert replay(recorded, "random").regret_after(3) == 0.0


def test_a_run_without_a_gpu_is_replayed_unless_others_were_measured(
    tmp_path: Path,
) -> None:
    path = tmp_path / "results.db"
    measured = replace(HERE, schedule=text_hash(SCHEDULE))
    estimated = replace(measured, device="h200 (cost model)")
    texts = {measured.schedule: SCHEDULE}
    with Database(path) as database:
        run = RunLog(database, Run(0, estimated, measured=False), texts=texts)
        run.record(made(1, 2.0, setting=estimated, measured=False), 1, "new")
    (recorded,) = read_recordings(path)
    assert recorded.is_estimated and recorded.best.point == {"BM": 1}
    with Database(path) as database:
        run = RunLog(database, Run(0, measured, measured=True), texts=texts)
        run.record(made(2, 1.0, setting=measured), 1, "new")
    (recorded,) = read_recordings(path)
    assert not recorded.is_estimated and recorded.device == "NVIDIA H200"


def test_a_results_file_without_schedules(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with Database(path) as database:
        log(database).record(made(1), 1, "new")
    with pytest.raises(UserError, match="schedules of these results are not"):
        read_recordings(path)
    with Database(tmp_path / "empty.db"):
        pass
    with pytest.raises(UserError, match="no results"):
        read_recordings(tmp_path / "empty.db")


def test_a_folder_and_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no recorded space"):
        read_recordings(tmp_path)
    with pytest.raises(UserError, match="cannot be read"):
        read_recordings(tmp_path / "nothing")
    point = RecordedPoint({"BM": 1}, "ok", p50=1.0, samples=tuple(range(1, 101)))
    whole = RecordedSpace("one", "", SCHEDULE, "", "", (point,))
    whole.save(tmp_path / "one.space.xz")
    (found,) = read_recordings(tmp_path)
    (kept,) = found.points
    assert kept.point == {"BM": 1} and len(kept.samples) == 31
    assert kept.samples[0] == 1 and kept.samples[-1] == 100
    with pytest.raises(UserError, match="no schedule to save"):
        replace(whole, schedule="").save(tmp_path / "two.space.xz")
    broken = tmp_path / "broken.json.xz"
    broken.write_bytes(b"")
    with pytest.raises(UserError, match="not a recording of tuning cost"):
        read_recordings(broken)


def test_a_recording_of_tuning_cost(tmp_path: Path) -> None:
    path = write(tmp_path / "cost.json.xz")
    cost = TuningCost.load(path)
    # The pool of one process did six of twelve: the others are taken from the pool of
    # four, which was slower by a quarter.
    assert len(cost.compile_seconds) == 12
    assert set(cost.compile_seconds.values()) == {1.0}
    four = max(cost.pools, key=lambda pool: pool.processes)
    assert cost.speedup(four) == pytest.approx(12 / 3.75)
    recordings = read_recordings(path)
    assert [one.name for one in recordings] == [
        "4096x256x4096, clear of 0 MB",
        "4096x256x4096, clear of 1 MB",
        "256x256x256, clear of 0 MB",
        "256x256x256, clear of 1 MB",
    ]
    cleared = cost.space(LARGE, CLEARS[1])
    assert cleared.is_complete and len(cleared.points) == 12
    assert cleared.best.milliseconds == pytest.approx(0.15)
    assert cleared.best.clear_ms == pytest.approx(0.02)
    (failed,) = [one for one in cleared.points if one.milliseconds is None]
    assert failed.error == "OutOfResources"
    assert replay(cleared, "guided", seed=1).regret_after(12) == 0.0
