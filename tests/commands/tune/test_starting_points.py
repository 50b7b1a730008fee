"""Starting points of a run, from the results of near shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.tuning.records import SETTING, record
from tilewright.codegen.targets import TARGETS
from tilewright.commands.tune.starting_points import (
    known_starts,
    say_best_start,
    say_starts,
    table_starts,
)
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import space_of


def task(*extents: tuple[int, ...]) -> TuningTask:
    def unused(point):
        raise AssertionError("nothing is built")

    return TuningTask(
        build=unused,
        space=space_of({"BM": (16, 32, 64)}),
        payload="another",
        schedule="schedule",
        family="f",
        extents=extents,
    )


def test_a_run_starts_from_near_shapes_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    wanted = task((16, 8), (512, 8))
    assert known_starts(wanted, path, TARGETS["h200"], measured=True) == []
    with Database(path) as database:
        for rows, bm in ((32, 16), (1024, 128)):
            setting = replace(
                SETTING, family="f", extents=((rows, 8),), payload=str(bm)
            )
            database.record(record(setting=setting, point={"BM": bm}, program=str(bm)))
    starts = known_starts(wanted, path, TARGETS["h200"], measured=True)
    assert [start.point for start in starts] == [{"BM": 16}, {"BM": 64}]
    lines: list[str] = []
    say_starts(starts, lines.append)
    assert lines == [
        "2 starting points from the results file:",
        "  32x8 on NVIDIA H200, 1 ms: BM=16",
        "  1024x8 on NVIDIA H200, 1 ms: BM=64",
    ]
    lines.clear()
    say_best_start(starts, {"BM": 32}, lines.append)
    assert lines == []
    say_best_start(starts, {"BM": 16}, lines.append)
    assert lines[0].startswith("the best is the starting point of 32x8 on NVIDIA H200")


def test_a_run_starts_from_the_table_of_the_schedule() -> None:
    text = """
    decide M = x[0] { M <= 8 { BM = 32 } else { BM = 64; BN = 1 } }
    schedule s(root) { BM = knob [32, 64]; BN = knob [1, 2] default 2 }
    """
    schedule = Schedule.from_text(text)
    space = read_space(schedule.module)
    points = [{"BM": 32, "BN": 2}, {"BM": 64, "BN": 1}]
    assert table_starts(schedule, space) == points
    assert table_starts(schedule.with_point({"BM": 32}), space) == []
