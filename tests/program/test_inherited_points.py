"""Points that nobody set: from a results file, or from the schedule's table."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import tilewright
from support.command_line import Cli, cli_in
from support.tuning.records import SETTING, record
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.sized_program import SizedProgram
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.transfer.family import family_of
from tilewright.tuning.transfer.winners import winners_json

PAYLOAD = """
func.func @double(%x: tensor<ROWSx8xf32>) -> tensor<ROWSx8xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<ROWSx8xf32>
  %e = tensor.empty(%rows) : tensor<ROWSx8xf32>
  %y = linalg.add ins(%x, %x : tensor<ROWSx8xf32>, tensor<ROWSx8xf32>)
    outs(%e : tensor<ROWSx8xf32>) -> tensor<ROWSx8xf32>
  return %y : tensor<ROWSx8xf32>
}
"""
SCHEDULE = """
schedule s(root) {
  add = match "linalg.add" in root
  R = knob [1, 2, 4, 8] default 1
  add, grid = tile add by [R, 0] onto [block.x]
}
"""
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TABLE = """
decide M = x[0] {
  M <= 4 { R = 2 }
  else { R = 8 }
}
"""


def payload(rows: int | str) -> str:
    text = PAYLOAD.replace("ROWS", str(rows))
    return text if rows == "?" else text.replace("empty(%rows)", "empty()")


def recorded(path: Path, rows: int, value: int, **changes) -> Path:
    """A results file with the best point of a shape."""
    family = family_of(parse_payload(payload(rows)))
    setting = replace(
        SETTING,
        payload=str(rows),
        schedule=text_hash(to_text(Schedule.from_text(SCHEDULE).module)),
        family=family.key,
        extents=(family.sizes,),
        payload_name="double.mlir",
    )
    setting = replace(setting, **changes)
    with Database(path) as database:
        database.record(record(setting=setting, point={"R": value}, program=str(rows)))
    return path


def test_compile_inherits_and_says_from_where(tmp_path: Path) -> None:
    path = recorded(tmp_path / "results.db", 64, 4)
    recorded(path, 256, 8)
    same = tilewright.compile(payload(64), SCHEDULE, "h200", inherit=path)
    assert same.point == {"R": 4}
    assert same.origin.startswith("double.mlir 64x8 on NVIDIA H200, tuned 20")
    assert f"point of {same.origin}" in same.report
    near = tilewright.compile(payload(200), SCHEDULE, "h200", inherit=path)
    assert (near.point, near.origin[:17]) == ({"R": 8}, "double.mlir 256x8")


def test_settings_far_shapes_and_other_files_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded(tmp_path / "results.db", 64, 4)
    assert (
        tilewright.compile(payload(64), SCHEDULE, "h200", inherit=path, R=2).origin
        == ""
    )
    far = tilewright.compile(payload(257), SCHEDULE, "h200", inherit=path)
    assert (far.point, far.built.defaults) == ({}, {"R": 1})
    # The file of the present folder is the default.
    monkeypatch.chdir(tmp_path)
    assert tilewright.compile(payload(64), SCHEDULE, "h200").point == {"R": 4}
    assert tilewright.compile(payload(64), SCHEDULE, inherit=False).point == {}
    with pytest.raises(UserError, match="no such results file"):
        tilewright.compile(payload(64), SCHEDULE, inherit="nowhere.db")
    Path("results.db").write_text("the notes of somebody else")
    assert tilewright.compile(payload(64), SCHEDULE, "h200").point == {}


def test_winners_that_ship_with_a_model(tmp_path: Path) -> None:
    path = recorded(tmp_path / "tuned.db", 64, 4)
    shipped = tmp_path / "winners.json"
    with Database(path) as database:
        shipped.write_text(winners_json(database.list(), []))
    program = tilewright.compile(payload(64), SCHEDULE, "h200", results=shipped)
    assert program.point == {"R": 4}
    assert program.origin.endswith("(winners.json)")
    # A file that somebody named and that has nothing says so.
    none = tilewright.compile(payload(4096), SCHEDULE, "h200", results=shipped)
    assert none.point == {}
    assert "winners.json has no point for this payload" in none.report
    with pytest.raises(UserError, match="no such results file"):
        tilewright.compile(payload(64), SCHEDULE, results=tmp_path / "nowhere.json")


def test_a_point_that_does_not_build_gives_way_to_the_next(tmp_path: Path) -> None:
    # Triton has no programs of three warps.
    schedule = SCHEDULE.replace(
        "[block.x]\n",
        "[block.x]\n  W = knob [3, 4] default 4\n  launch grid warps = W\n",
    )
    hash_ = text_hash(to_text(Schedule.from_text(schedule).module))
    path = tmp_path / "results.db"
    with Database(path) as database:
        for rows, warps, value in ((64, 3, 4), (80, 4, 8)):
            family = family_of(parse_payload(payload(rows)))
            setting = replace(
                SETTING, schedule=hash_, family=family.key, extents=(family.sizes,)
            )
            point = {"R": value, "W": warps}
            database.record(record(setting=setting, point=point, program=str(rows)))
    found = tilewright.compile(payload(64), schedule, "h200", inherit=path)
    assert found.point == {"R": 8, "W": 4}


def test_known_sizes_take_the_rule_of_the_table() -> None:
    for rows, value in ((4, 2), (5, 8)):
        program = tilewright.compile(payload(rows), SCHEDULE + TABLE, inherit=False)
        assert program.point == {"R": value}
        assert not isinstance(program, SizedProgram)
    assert "the schedule's table, rule 'else'" in program.report
    given = tilewright.compile(payload(4), SCHEDULE + TABLE, R=1)
    assert given.point == {"R": 1}


def test_open_sizes_choose_at_every_call() -> None:
    program = tilewright.compile(payload("?"), SCHEDULE + TABLE)
    assert isinstance(program, SizedProgram)
    assert list(program.compiled) == ["else"]
    assert "M <= 4: R=2 (not compiled yet)" in program.report
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows in (3, 5, 9, 4):
            x = torch.randn(rows, 8, device=DEVICE)
            assert torch.equal(program(x), x + x)
    assert {t: p.point for t, p in program.compiled.items()} == {
        "else": {"R": 8},
        "M <= 4": {"R": 2},
    }
    assert program.for_sizes(M=2) is program.compiled["M <= 4"]
    with pytest.raises(UserError, match="double takes 1 tensor"):
        program()


def test_a_table_of_another_payload_is_refused() -> None:
    with pytest.raises(UserError, match="size of 'a', which is not an argument"):
        table = TABLE.replace("x[0]", "a[0]")
        tilewright.compile(payload(4), SCHEDULE + table)
    with pytest.raises(UserError, match="dimension 2 of x"):
        table = TABLE.replace("x[0]", "x[2]")
        tilewright.compile(payload(4), SCHEDULE + table)


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    return cli_in(tmp_path, monkeypatch, capsys)


def test_opt_says_whose_point_it_uses(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(payload(64))
    (tmp_path / "s.tw").write_text(SCHEDULE)
    recorded(tmp_path / "results.db", 100, 4)
    done = cli("opt", "p.mlir", "-s", "s.tw")
    assert "point of double.mlir 100x8 on NVIDIA H200" in done.err
    assert "(16)" in done.out
    plain = cli("opt", "p.mlir", "-s", "s.tw", "--no-inherit")
    assert "choices left to their defaults: R = 1" in plain.err
    assert "(64)" in plain.out
    (tmp_path / "s.tw").write_text(SCHEDULE + TABLE)
    ruled = cli("opt", "p.mlir", "-s", "s.tw")
    assert "point of the schedule's table, rule 'else': R = 8" in ruled.err


@pytest.mark.slow
def test_run_uses_the_table_at_each_size(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(payload("?"))
    (tmp_path / "s.tw").write_text(SCHEDULE + TABLE)
    done = cli("run", "p.mlir", "-s", "s.tw", "--size", "M=3,4,9", "--target", "h200")
    small, _, large = done.out.partition("rule 'else'")
    assert "rule 'M <= 4': R = 2" in small
    assert "at M=3: correct" in small and "at M=4: correct" in small
    assert "at M=9: correct" in large


@pytest.mark.slow
def test_tune_per_size_writes_a_table_that_run_uses(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(payload("?"))
    (tmp_path / "s.tw").write_text(SCHEDULE)
    tune = ("tune", "p.mlir", "-s", "s.tw", "--target", "h200", "--trials", "4")
    done = cli(*tune, "--size", "M=4,300", "--per-size", "--summary", "run.json")
    assert "own best ms (estimated)" in done.out
    assert "decision table: " in done.out
    schedule = Schedule.from_path(tmp_path / "s.best.tw")
    assert schedule.table is not None
    assert [str(size) for size in schedule.table.sizes] == ["M = x[0]"]
    trials = json.loads((tmp_path / "run.json").read_text())["trials"]
    assert len(trials) == 4
    again = cli("run", "p.mlir", "-s", "s.best.tw", "--size", "M=7", "--target", "h200")
    assert "the schedule's table, rule" in again.out
    one = cli(*tune, "--size", "M=4", "--per-size", code=2)
    assert "there is only one size to tune for" in one.err


COLUMNS = """
func.func @double(%x: tensor<16x?xf16>) -> tensor<16x?xf16> {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %x, %c1 : tensor<16x?xf16>
  %e = tensor.empty(%columns) : tensor<16x?xf16>
  %y = linalg.add ins(%x, %x : tensor<16x?xf16>, tensor<16x?xf16>)
    outs(%e : tensor<16x?xf16>) -> tensor<16x?xf16>
  return %y : tensor<16x?xf16>
}
"""
LOADS = """
schedule s(root) {
  add = match "linalg.add" in root
  add, grid = tile add by [16, 16] onto [block.y, block.x]
  choose loads default pointers { pointers { } descriptors { descriptors grid } }
}
"""


def test_a_point_that_refuses_some_sizes_is_not_inherited(tmp_path: Path) -> None:
    # Rows that descriptors read are multiples of 16 bytes; defaults take any row.
    family = family_of(parse_payload(COLUMNS), [(16, 64)])
    sizes = ((16, 64), (16, 256))
    setting = replace(SETTING, family=family.key, extents=sizes, sizes="N=64; N=256")
    path = tmp_path / "results.db"
    with Database(path) as database:
        made = record(setting=setting, point={"loads": "descriptors"})
        database.record(replace(made, each=(1.0, 1.0)))
    program = tilewright.compile(COLUMNS, LOADS, "h200", inherit=path)
    assert (program.point, program.built.defaults) == ({}, {"loads": "pointers"})
    known = COLUMNS.replace("?", "64").replace("empty(%columns)", "empty()")
    assert tilewright.compile(known, LOADS, "h200", inherit=path).point == {
        "loads": "descriptors"
    }
