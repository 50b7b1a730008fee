"""Decision tables in schedules: read, applied, written, and what is wrong with one."""

from __future__ import annotations

import pytest

from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule, check_text

TEXT = """
decide M = x[0], N = w[1] {
  // a comment
  M <= 64 { BM = 16; loads = pointers }
  M <= 1024 and N > 8 {
    BM = 32
    loads = descriptors
  }
  else { loads = "pointers" }
}

schedule s(root) {
  BM = knob [16, 32] default 16
  choose loads { pointers { } descriptors { } }
}
"""


def test_the_first_rule_that_holds_is_taken() -> None:
    table = Schedule.from_text(TEXT).table
    assert table is not None
    found = [
        table.rule_for({"M": m, "N": n}).title
        for m, n in ((64, 100), (65, 9), (65, 8), (1025, 9))
    ]
    assert found == ["M <= 64", "M <= 1024 and N > 8", "else", "else"]
    assert table.rule_for({"M": 65, "N": 9}).point == {
        "BM": 32,
        "loads": "descriptors",
    }
    assert table.positions(["w", "x"]) == {"M": (1, 0), "N": (0, 1)}


def test_a_payload_without_the_argument_is_refused() -> None:
    table = Schedule.from_text(TEXT).table
    assert table is not None
    with pytest.raises(UserError, match="size of 'x', which is not an argument"):
        table.positions(["a", "w"])


def test_a_table_is_written_and_read_back() -> None:
    schedule = Schedule.from_text(TEXT)
    again = Schedule.from_text(schedule.to_tw())
    assert again.table == schedule.table
    assert again.to_tw() == schedule.to_tw()


def test_a_point_takes_the_place_of_the_table() -> None:
    schedule = Schedule.from_text(TEXT)
    assert schedule.with_point({}).table is not None
    bound = schedule.with_point({"BM": 16})
    assert bound.table is None
    assert "decide" not in bound.to_tw()


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("BM = 16;", "BN = 16;", "4:13: error: the schedule has no choice 'BN'"),
        ("BM = 16;", "BM = 17;", "'BM' cannot be 17; its options are 16, 32"),
        ("BM = 16;", "BM = 16; BM = 32;", "'BM' has two values"),
        ("BM = 16;", "tile root by [4];", "a rule of a table has values of choices"),
        ("M <= 64", "K <= 64", "'K' is not a size of the table; known: M, N"),
        ("M <= 64", "M * 2 <= 64", "compares a size with a number; such as M <= 64"),
        ("M <= 64", "else", "rules after 'else' are never reached"),
        ("else", "M > 3", "no point for other sizes; end it with: else { ... }"),
        ("x[0]", "x[0.5]", "a dimension is a whole number"),
        ("x[0]", "x", "expected '['"),
        ("N = w[1]", "M = w[1]", "two sizes have one name"),
        ("schedule s", "decide M = x[0] { else { } }\nschedule s", "holds one table"),
    ],
)
def test_mistakes(old: str, new: str, fact: str) -> None:
    (error,) = check_text(TEXT.replace(old, new, 1), "s.tw")
    assert fact in str(error)
