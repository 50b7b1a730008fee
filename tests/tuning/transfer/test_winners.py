"""Winners: a small file that ships with a model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.records import SETTING, record
from tilewright.ir.errors import UserError
from tilewright.planning.recorded import KernelSignature
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import export_json
from tilewright.tuning.results.records import Final
from tilewright.tuning.transfer.known_points import known_points
from tilewright.tuning.transfer.planned_kernels import PlannedKernel, PlannedKernels
from tilewright.tuning.transfer.winners import (
    Added,
    add_json,
    open_known,
    read_winners,
    winners_json,
    winning,
)

HERE = replace(
    SETTING,
    payload_name="gemm.mlir",
    schedule_name="gemm.tw",
    family="f",
    extents=((64, 64),),
)
KERNEL = PlannedKernel(KernelSignature("h200", "s", (64, 8)), "tiles", {"BM": 4}, "now")


def made(ms: float, name: str, **changes: object):
    given = {"setting": HERE, "point": {"BM": name}, "program": name, "created": "now"}
    return record(ms, **{**given, **changes})


def test_the_fastest_of_each_payload_size_schedule_and_device() -> None:
    h100, bigger = replace(HERE, device="h100"), replace(HERE, extents=((128, 64),))
    other = replace(HERE, schedule_name="other.tw")
    records = [
        made(2.0, "slow"),
        made(1.0, "fast"),
        made(3.0, "there", setting=h100),
        made(4.0, "bigger", setting=bigger),
        made(5.0, "other schedule", setting=other),
        made(0.1, "wrong", outcome="wrong"),
        made(0.2, "estimated", measured=False),
        made(9.0, "only estimated", measured=False, setting=replace(HERE, family="g")),
    ]
    assert [one.program for one in winning(records)] == [
        "fast",
        "there",
        "bigger",
        "other schedule",
        "only estimated",
    ]
    # A final round is more reliable than a trial.
    final = made(2.0, "final", final=Final(1.5, 1.4, 1.6))
    assert [one.program for one in winning([*records[:2], final])] == ["final"]


def test_where_several_sizes_are_timed_the_best_at_each() -> None:
    both = replace(HERE, extents=((16, 8), (256, 8)), sizes="M=16; M=256")
    records = [
        made(2.0, "for all", setting=both, each=(2.0, 2.0)),
        made(3.0, "for few", setting=both, each=(1.0, 9.0)),
        made(4.0, "for none", setting=both, each=(4.0, 4.0)),
    ]
    assert [one.program for one in winning(records)] == ["for all", "for few"]


def test_a_file_of_winners_is_small_and_read_as_a_results_file(tmp_path: Path) -> None:
    path = tmp_path / "winners.json"
    final = Final(1.0, 0.9, 1.1)
    text = winners_json([made(1.0, "fast", final=final), made(2.0, "slow")], [KERNEL])
    path.write_text(text)
    assert len(text) < 1200
    entry = json.loads(text)["winners"][0]
    assert (entry["payload"], entry["sizes"], entry["device"]) == (
        "gemm.mlir",
        [[64, 64]],
        "NVIDIA H200",
    )
    assert (entry["choices"], entry["ms"], entry["interval"]) == (
        {"BM": "fast"},
        1.0,
        [0.9, 1.1],
    )
    with open_known(path) as database:
        (known,) = known_points(database, "f")
        assert (known.point, known.is_final) == ({"BM": "fast"}, True)
        assert known.origin == "gemm.mlir 64x64 on NVIDIA H200, tuned now"
        found = PlannedKernels(database, path.name)(KERNEL.signature)
        assert found is not None and found.source.endswith("64x8 (winners.json)")
        assert database.path == path


def test_winners_are_merged_and_keep_what_is_known_better(tmp_path: Path) -> None:
    text = winners_json([made(1.0, "fast")], [KERNEL])
    with Database(tmp_path / "results.db") as database:
        own = database.record(made(1.5, "fast"))
        assert add_json(database, text) == Added(1, 1, are_winners=True)
        assert database.list() == [own]
        assert PlannedKernels(database).all() == [KERNEL]
    with Database(tmp_path / "other.db") as database:
        for _ in range(2):
            add_json(database, text)
        (found,) = database.list()
        assert (found.p50, found.setting, found.created) == (1.0, HERE, "now")
        # From there they go on.
        assert json.loads(winners_json([found], [])) == {
            **json.loads(text),
            "kernels": [],
        }


def test_an_export_is_read_too(tmp_path: Path) -> None:
    with Database(tmp_path / "results.db") as database:
        database.record(made(1.0, "fast"))
        (tmp_path / "all.json").write_text(export_json(database))
    with open_known(tmp_path / "all.json") as opened:
        assert [r.program for r in opened.list()] == ["fast"]


BAD = {
    "no winners": ('{"format": "x"}', "its format is 'x'"),
    "of later": (
        '{"format": "tilewright-winners-9", "winners": []}',
        "'tilewright-winners-9' is of another version of tilewright",
    ),
    "broken": ('{"format": ', "Expecting value"),
    "a time": (
        winners_json([made(1.0, "x")], []).replace('"ms": 1.0', '"ms": "x"'),
        "'x' is no number",
    ),
    "no keys": (
        winners_json([made(1.0, "x")], []).replace('"keys"', '"other"'),
        "keys is no table",
    ),
}


@pytest.mark.parametrize(("text", "fact"), BAD.values(), ids=BAD.keys())
def test_what_is_no_file_of_winners(tmp_path: Path, text: str, fact: str) -> None:
    with pytest.raises(UserError, match=f"not a file of winners: .*{fact}.*export"):
        read_winners(text)
    (tmp_path / "w.json").write_text(text)
    with pytest.raises(UserError, match="w.json: this is not a file of winners"):
        open_known(tmp_path / "w.json")


def test_files_that_are_neither(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    with pytest.raises(UserError, match="is not a tilewright results file"):
        open_known(tmp_path / "notes.txt")
    with pytest.raises(UserError, match="cannot read"):
        open_known(tmp_path / "nothing.db")
