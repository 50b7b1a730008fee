"""Schedules convert between `.tw` and `.mlir`, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import SSAValue

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA, EXAMPLES, ROOT
from support.sampling import mostly_slow
from support.schedule_files import same
from tilewright.ir.errors import UserError
from tilewright.schedules.conversion import as_mlir, as_tw
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY

FOLDERS = ("examples", "tests/data/scheduled", "benchmarks/spaces")
LANGUAGE = sorted(path for each in FOLDERS for path in (ROOT / each).rglob("*.tw"))
SCRIPTS = sorted(
    path
    for folder in (DATA / "scripts", ROOT / "tests" / "fuzz" / "found")
    for path in folder.glob("*.mlir")
    if "transform." in path.read_text() and path.name != "knobs_and_choices.mlir"
)


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"// *[^\n/]*[^\n/ ]", text))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


@pytest.mark.parametrize("path", mostly_slow(LANGUAGE, quick=LANGUAGE[::6]), ids=name)
def test_to_mlir_and_back(path: Path) -> None:
    schedule = Schedule.from_path(path)
    mlir = as_mlir(schedule)
    again = Schedule.from_text(mlir, f"{schedule.name}.mlir")
    written = as_tw(again)
    assert comments(mlir) == comments(path.read_text()) == comments(written)
    back = Schedule.from_text(written, path.name)
    assert same(back.module, schedule.module)
    choices = [(c.name, c.options, c.default) for c in schedule.open_choices()]
    assert [(c.name, c.options, c.default) for c in back.open_choices()] == choices
    assert back.table == schedule.table


@pytest.mark.parametrize("path", mostly_slow(SCRIPTS, quick=SCRIPTS[::8]), ids=name)
def test_to_the_language_and_back(path: Path) -> None:
    try:
        schedule = Schedule.from_path(path)
    except UserError:
        pytest.skip("a script with a mistake")
    written = as_tw(schedule)
    again = Schedule.from_text(as_mlir(Schedule.from_text(written, "s.tw")), "s.mlir")
    assert steps(again) == steps(schedule)


def steps(schedule: Schedule) -> list[object]:
    """The ops of the entry with their properties, results and users."""
    (entry,) = (
        op
        for op in schedule.module.ops
        if isinstance(op, NamedSequenceOp) and op.sym_name.data == ENTRY
    )
    numbers: dict[SSAValue, int] = {}
    found: list[object] = []
    for op in entry.walk():
        if op is entry:
            continue
        for region in op.regions:
            for argument in region.block.args:
                numbers[argument] = len(numbers)
        operands = [numbers.get(operand, -1) for operand in op.operands]
        for result in op.results:
            numbers[result] = len(numbers)
        types = [result.type for result in op.results]
        found.append((op.name, operands, types, op.properties, op.attributes))
    return found


TABLE = """\
schedule s(root) {
  B = knob [8, 16] default 8
  e = match "linalg.exp" in root
  tile e by [B] onto [block.x]
}

// by size
decide M = x[0] {
  M <= 64 { B = 8 }
  else    { B = 16 }
}
"""


def test_a_table_and_defaults_survive() -> None:
    schedule = Schedule.from_text(TABLE, "s.tw")
    again = Schedule.from_text(as_mlir(schedule), "s.mlir")
    assert again.table == schedule.table is not None
    back = as_tw(again)
    assert "B = knob [8, 16] default 8" in back
    assert Schedule.from_text(back, "s.tw").table == schedule.table


def test_a_wrong_table_in_mlir_is_an_error() -> None:
    text = as_mlir(Schedule.from_text(TABLE, "s.tw")).replace("B = 16", "C = 16")
    with pytest.raises(UserError, match="the schedule has no choice 'C'"):
        Schedule.from_text(text, "s.mlir")


def test_a_knob_that_is_chosen_is_refused() -> None:
    schedule = Schedule.from_path(DATA / "scripts" / "knobs_and_choices.mlir")
    with pytest.raises(UserError) as caught:
        as_tw(schedule)
    assert caught.value.fact == "'BM' is chosen already, which .tw cannot say"
    assert caught.value.place is not None


def test_a_loss_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = Schedule.from_path(EXAMPLES / "matmul_relu" / "tile.tw")
    written = schedule.to_tw()
    other = written.replace("by [128", "by [64")
    assert other != written
    monkeypatch.setattr(Schedule, "to_tw", lambda self: other)
    with pytest.raises(UserError, match="cannot be converted without loss") as caught:
        as_tw(schedule)
    assert caught.value.place is not None


@needs_mlir
def test_real_mlir_reads_it() -> None:
    schedule = Schedule.from_path(EXAMPLES / "matmul_relu" / "tile_fuse.tw")
    assert "transform.named_sequence" in mlir_opt(as_mlir(schedule))
