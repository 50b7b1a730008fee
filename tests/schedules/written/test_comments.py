"""Comments and empty lines survive where a schedule is written from a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tilewright
from support.paths import ROOT
from support.sampling import mostly_slow
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule, read_schedule

FOLDERS = ("examples", "tests/data", "benchmarks/spaces")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.tw"))

TEXT = """\
// A schedule
// with a header.

schedule s(root) {  // its root
  // the sizes
  BM = knob [16, 32]  // rows
  BN = knob [16, 32]

  // they fit
  require BM * BN <= 512

  mm = match "linalg.matmul" in root

  // how it is loaded
  choose loads {  // two ways
    // as ever
    pointers {
      // pointers alone
      annotate mm "p"
      // and no more
    }
    descriptors {  // TMA
      annotate mm "d"
    }  // TMA is over
  }  // it is loaded
  tile mm by [
      BM,  // of the rows
      BN]
  try root {
    // at first
    cse root
  } else {
    dce root
  }
  // that is all
}
// The end.
"""


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"// *[^\n/]*[^\n/ ]", text))


def test_a_schedule_with_open_choices_is_written_as_it_was() -> None:
    written = Schedule.from_text(TEXT).to_tw()
    assert comments(written) == comments(TEXT)
    assert Schedule.from_text(written).to_tw() == written
    moved = TEXT.replace("  tile mm by [\n      BM,  // of the rows\n      BN]\n", "")
    assert [line for line in written.split("\n") if "of the rows" in line] == [
        "  // of the rows"
    ]
    for line in moved.strip().split("\n"):
        assert line in written.split("\n")


def test_closed_choices_keep_the_comments_of_what_is_left() -> None:
    written = Schedule.from_text(TEXT).with_point(
        {"BM": 16, "BN": 32, "loads": "pointers"}
    )
    assert (
        written.to_tw()
        == """\
// from the schedule 's'
// point: BM = 16, BN = 32, loads = pointers

// A schedule
// with a header.

schedule s(root) {  // its root
  // the sizes
  BM = 16  // rows
  BN = 32

  mm = match "linalg.matmul" in root

  // how it is loaded
  // two ways
  // as ever
  // pointers alone
  annotate mm "p"
  // and no more
  // of the rows
  h, h2, h3 = tile mm by [BM, BN]
  try root {
    // at first
    cse root
  } else {
    dce root
  }
  // that is all
}
// The end.
"""
    )


ABOUT_OPEN = """\
// Two sizes. //? about 4 us
// Why? // is no mark
//? tune it
//? all of it

schedule s(root) {
  //? 2 ways are worth a trial
  choose way {
    one {  // the first //? at first  // it is kept
      mm = match "linalg.matmul" in root
      //? BM is open
      BM = knob [16, 32]  //? 16 is the default
      vectorize mm to [BM, BM, BM]
    }
    // another one //? 1.5 times the default's time
    other {
      cse root
    }
  }  //? what is taken?
}
"""


def test_what_is_about_open_choices_is_left_out_once_one_is_made() -> None:
    read = Schedule.from_text(ABOUT_OPEN, "s.tw")
    assert read.to_tw() == ABOUT_OPEN
    one = read.with_point({"way": "one"}).to_tw()
    assert "//?" not in one and "// Two sizes.\n// Why? // is no mark\n\nsched" in one
    assert "// the first  // it is kept\n" in one
    assert "BM = knob [16, 32]\n" in one
    other = read.with_point({"way": "other"}).to_tw()
    assert "  // another one\n  cse root\n" in other and "//?" not in other


def test_a_winner_of_a_plan_says_nothing_of_its_defaults() -> None:
    program = tilewright.compile(ROOT / "examples/payloads/mlp_f16.mlir", target="h200")
    assert program.plan is not None
    text = program.plan.text
    for read in (program.plan.schedule, Schedule.from_text(text, "planned.tw")):
        winner = read.with_defaults({"kernel_1": "split_2"}).to_tw()
        comments = " ".join(re.findall(r"//.*", winner.partition("schedule")[2]))
        assert "tiles of 2 partial sums" in comments and "FLOP" in comments
        for gone in (" us", "default", "limit", "worth a trial", "times", "tune"):
            assert gone not in comments


def test_a_header_is_replaced_by_the_next() -> None:
    once = Schedule.from_text(TEXT).with_point({"BM": 16}).to_tw(device="one")
    twice = Schedule.from_text(once).with_point({"BN": 16}).to_tw(device="two")
    assert twice.startswith(
        "// from the schedule 's'\n// point: BN = 16\n// device: two\n\n// A schedule\n"
    )
    assert "device: one" not in twice


IMPORTING = """\
// payload: p.mlir
// Two lines.
import gemm
// of the schedule

schedule s(root) {
  grid, k = include gemm.tiled(root)
}
"""


def test_comments_above_an_import_stay_there() -> None:
    assert Schedule.from_text(IMPORTING).to_tw() == IMPORTING.replace(
        "// of the schedule\n\n", "\n// of the schedule\n"
    )


@pytest.mark.slow
def test_headers_above_an_import_are_replaced() -> None:
    first = Schedule.from_text(IMPORTING).to_tw(device="one")
    assert first.startswith(
        "// from the schedule 's'\n// device: one\n\n// payload: p.mlir\n"
    )
    written = Schedule.from_text(first).to_tw(device="two")
    assert written == first.replace("one", "two")
    for size in (64, 32):
        written = Schedule.from_text(IMPORTING).with_point({"BM": size}).to_tw()
        again = Schedule.from_text(written).with_point({"BN": 64}).to_tw()
        assert again.count("// from the schedule") == 1
        assert again.startswith(
            "// from the schedule 's'\n// point: BN = 64\n\n// payload: p.mlir\n"
            "// Two lines.\n\n"
        )


def test_comments_above_the_imports_of_an_imported_file(tmp_path: Path) -> None:
    (tmp_path / "other.tw").write_text(
        "// about the file\nimport rows\n\nsequence helper(x) {\n  cse x\n}\n"
    )
    path = tmp_path / "s.tw"
    path.write_text(
        'import "other.tw"\nschedule s(root) {\n  include other.helper(root)\n}\n'
    )
    assert (
        Schedule.from_path(path)
        .to_tw()
        .startswith("// about the file\nsequence other.helper(x) {\n")
    )


def test_lines_that_only_look_like_a_header_stay() -> None:
    text = "// device: any that has TMA\n// time: 3 ms\n" + TEXT
    written = Schedule.from_text(text).with_point({"BM": 16}).to_tw(device="one")
    assert "// device: any that has TMA\n// time: 3 ms\n// A schedule\n" in written
    again = Schedule.from_text(written).with_point({"BN": 16}).to_tw(device="two")
    assert "// device: any that has TMA\n// time: 3 ms\n// A schedule\n" in again
    assert "device: one" not in again


def test_a_table_keeps_its_comments() -> None:
    table = """
// by rows
decide M = x[0] {
  // few
  M <= 64 { BM = 16 }
  else    { BM = 32 }  // many
}
"""
    written = Schedule.from_text(TEXT + table).to_tw()
    assert written.endswith(table.split("\n", 2)[2])
    assert comments(written) == comments(TEXT + table)


@pytest.mark.parametrize(
    "path",
    mostly_slow(FILES, quick=FILES[::4]),
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_every_schedule_keeps_its_comments(path: Path) -> None:
    text = path.read_text()
    written = Schedule.read_path(path)[0].to_tw()
    assert comments(written) == comments(text)
    assert read_schedule(written, path.name)[0].to_tw() == written


def test_comments_of_mlir_are_written_too() -> None:
    text = """\
// A script.
module attributes {transform.with_named_sequence} {
  // the entry
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {  // the root

    // products
    %mm = transform.structured.match ops{["linalg.matmul"]}  // all of them
      in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %mm "// no comment" : !transform.any_op  // a mark
    // before the end
    transform.yield
    // at the end
  }
}
// after it
"""
    assert (
        Schedule.from_text(text, "s.mlir").to_tw()
        == """\
// A script.
// the entry
// the root
schedule s(root) {
  // products
  mm = match "linalg.matmul" in root  // all of them
  annotate mm "// no comment"  // a mark
  // before the end
  // at the end
}
// after it
"""
    )


def test_comments_of_imported_files(tmp_path: Path) -> None:
    (tmp_path / "other.tw").write_text(
        "// other\nsequence helper(x) {\n  cse x  // now\n}\n"
    )
    path = tmp_path / "s.tw"
    path.write_text(
        'import "other.tw"\n\n// the schedule\nschedule s(root) {\n'
        "  include other.helper(root)  // go\n}\n"
    )
    assert (
        Schedule.from_path(path).to_tw()
        == """\
// other
sequence other.helper(x) {
  cse x  // now
}

// the schedule
schedule s(root) {
  include other.helper(root)  // go
}
"""
    )


def test_a_schedule_of_statements_has_no_comments_to_keep() -> None:
    assert Schedule.empty().to_tw() == "schedule nothing(root) {\n}\n"


def test_an_error_stays_an_error() -> None:
    with pytest.raises(UserError):
        Schedule.from_text("schedule s(root) { // open", "s.tw")
