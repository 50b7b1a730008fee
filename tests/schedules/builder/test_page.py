"""The tables of docs/python.md: both sides of a row are the same statement."""

from __future__ import annotations

import re

import pytest

import tilewright
from support.paths import DOCS
from support.schedule_files import nameless
from tilewright.schedules.schedule import Schedule

PAGE = (DOCS / "python.md").read_text("utf-8")
_, _, _TABLE = PAGE.partition("| in `.tw` | in Python |\n|---|---|\n")
ROWS = [
    re.fullmatch(r"\| `(`?.*?`?)` \| (.*) \|", row)
    for row in _TABLE.partition("\n\n")[0].splitlines()
]

TEXT = """
sequence NAME(h, n: param) { tiled, loop = tile h by [n]; yield loop }
schedule page(root) {
  func = match "func.func" in root
  mm   = match "linalg.matmul" in root
  a    = match "linalg.fill" in root
  b    = match "linalg.generic" in root
  h    = match "linalg.matmul" in root
  loop = match "scf.for" in root
  grid = match "scf.forall" in root
  parts = match "linalg.add" in root
  BM = knob [32, 64]   BN = knob [32, 64]   BK = knob [32, 64]
  STATEMENT
}
"""


def python(statement: str) -> tilewright.ScheduleBuilder:
    """A schedule in Python with the same names, and one more statement."""
    s = tilewright.schedule("page")
    with s.sequence("NAME", h="op", n="param") as (h, n):
        tiled, loop = s.tile(h, [n])
        s.yield_(loop)
    func = s.match("func.func")
    mm = s.match("linalg.matmul")
    a = s.match("linalg.fill")
    b = s.match("linalg.generic")
    h = s.match("linalg.matmul")
    loop = s.match("scf.for")
    grid = s.match("scf.forall")
    parts = s.match("linalg.add")
    BM, BN, BK = (s.knob(name, [32, 64]) for name in ("BM", "BN", "BK"))
    names = dict(s=s, func=func, mm=mm, a=a, b=b, h=h, loop=loop, tiled=tiled)
    names |= dict(grid=grid, parts=parts, BM=BM, BN=BN, BK=BK)
    exec(statement, names)
    return s


def test_every_row_is_read() -> None:
    assert len(ROWS) > 10 and None not in ROWS


@pytest.mark.parametrize("row", [row for row in ROWS if row is not None])
def test_both_sides_of_a_row_are_the_same(row: re.Match[str]) -> None:
    read = Schedule.from_text(TEXT.replace("STATEMENT", row[1].strip("`")))
    for code in re.findall(r"`([^`]+)`", row[2]):
        built = python(code.replace("\\|", "|")).schedule
        assert nameless(built) == nameless(read)
