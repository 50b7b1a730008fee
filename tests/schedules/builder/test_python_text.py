"""Every example schedule as a Python program, which builds the same schedule."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import pytest

from support.paths import EXAMPLES
from support.schedule_files import nameless
from tilewright.ir.errors import UserError
from tilewright.schedule_builder import ScheduleBuilder, to_python
from tilewright.schedules.language.lowering.conditions import folded
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import Literal, Node, Operator
from tilewright.schedules.schedule import Schedule, read_tree

SCHEDULES = sorted(EXAMPLES.glob("**/*.tw"))


def built(program: str) -> ScheduleBuilder:
    """The schedule that a program builds."""
    names: dict[str, Any] = {}
    exec(compile(program, "program.py", "exec"), names)
    return names["s"]


def read(text: str, name: str) -> tuple[Schedule, list[UserError]]:
    """A schedule whose constant expressions are folded, as Python folds them."""
    return read_tree(constants_folded(parse(text, name)), text, name)


def constants_folded(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(constants_folded(item) for item in cast("tuple[Any, ...]", node))
    if not isinstance(node, Node):
        return node
    given = {
        each.name: constants_folded(getattr(node, each.name)) for each in fields(node)
    }
    made = replace(node, **given)
    is_constant = isinstance(made, Operator) and all(
        isinstance(each, Literal) for each in made.operands
    )
    return folded(made, "fold") if is_constant else made


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", SCHEDULES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_an_example_is_built_in_python(path: Path) -> None:
    schedule, errors = read(path.read_text("utf-8"), str(path))
    made = built(to_python(path))
    assert errors == []
    assert nameless(made.schedule) == nameless(schedule)
    assert made.schedule.name == schedule.name


def test_there_are_examples() -> None:
    assert len(SCHEDULES) > 20


LANGUAGE = """
sequence tiles(op, size: param) {
  tiled, grid = tile op by [size] onto [block.x]
  yield tiled, grid
}
schedule all(root) {
  func = match "func.func" in root
  mm   = match ["linalg.matmul", "linalg.fill"] with [tag = "x", flag] in func
  BM = knob [32, 64] default 64   W = knob "warps" [4, 8]
  require order == b or BM <= 64
  half = BM / 2
  mm, grid = choose order default a {
    a { mm, grid = include tiles(mm, half); yield mm, grid }
    b { mm, grid = tile mm by [0, min(BM, 8) * 2] ; yield mm, grid }
  }
  require (BM % 64 == 0 and not W == 8) or abs(BM - 64) < floordiv(BM, 2)
  choose again { x { mm = generalize mm } y { } }
  launch grid warps = ite(BM < 64, W, 8)
  found = try func {
    found = match "linalg.fill" in func
    yield found
  } else {
    found = match "linalg.copy" in func
    yield found
  }
  each = for each one in found { g = generalize one; yield g }
  for each a, b in shortest each, each { print merge(a, b) "both" }
  suppress each { each = generalize each }
  l: "func.func" = cast func
  typed: "linalg.matmul" = match "linalg.matmul" in root
  print typed
  print l
  annotate grid "triton.note" = 4
  annotate grid "flag"
  turns = permute [0, 1]
  out = match "linalg.matmul" in func
  fill = match "linalg.fill" in func
  out, tiles = tile out by [32, 32] onto [block.y, block.x]
  fill, tiles = permute steps {
    first  { fill, tiles = fuse fill into tiles }
    second { suppress tiles { print tiles } }
  }
  fill, i, j = tile fill by [16, 16] interchange turns
  require steps == first_second or turns == p_0_1
  launch tiles warps = 4
  quantize mm to `f8E4M3FN` per_channel = true
  s = match "scf.for" in root
  structured.multitile_sizes s dimension = 0 target_size = 4 "note" = "x"
  root = bufferize root
  print root
}
"""


def test_every_statement_of_the_language() -> None:
    schedule, errors = read(LANGUAGE, "schedule.tw")
    made = built(to_python(LANGUAGE))
    again, found = made.read()
    assert nameless(again) == nameless(schedule)
    assert [error.fact for error in found] == [error.fact for error in errors]


def test_the_program_reads_like_the_schedule() -> None:
    text = """schedule small(root) {
      mm = match "linalg.matmul" in root
      BM = knob [64, 128] default 64
      mm, grid = tile mm by [BM, 32] onto [block.y, block.x]
      choose loads { pointers { } descriptors { descriptors grid } }
      launch grid warps = 4
    }"""
    program = [
        "import tilewright",
        "",
        's = tilewright.schedule("small")',
        'mm = s.match("linalg.matmul")',
        'BM = s.knob("BM", [64, 128], default=64)',
        'mm, grid = s.tile(mm, [BM, 32], onto=["block.y", "block.x"])',
        'with s.choose("loads") as loads:',
        '    with loads.branch("pointers"):',
        "        pass",
        '    with loads.branch("descriptors"):',
        "        s.descriptors(grid)",
        "s.launch(grid, warps=4)",
    ]
    assert to_python(text).splitlines() == program


def test_a_decision_table() -> None:
    text = """schedule t(root) {
  mm = match "linalg.matmul" in root
  BM = knob [16, 128]
  choose loads { pointers { } descriptors { } }
  tile mm by [BM]
}
decide M = x[0], N = x[1] {
  M <= 64 and N == 8 { BM = 16; loads = pointers }
  M <= 64            { BM = 16 }
  else               { BM = 128; loads = descriptors }
}
"""
    program = to_python(text)
    assert 'M = s.size("M", "x", 0)' in program
    assert 's.decide((M <= 64) & (N == 8), BM=16, loads="pointers")' in program
    made: dict[str, ScheduleBuilder] = {}
    exec(compile(program, "<program>", "exec"), made)  # the program of the schedule
    table = made["s"].schedule.table
    assert table is not None and table == Schedule.from_text(text).table
    assert "M <= 64 and N == 8 { BM = 16; loads = pointers }" in made["s"].to_tw()
