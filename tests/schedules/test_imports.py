"""Imports: sequences of other files, under full names, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.transform import NamedSequenceOp

from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule

PARTS = """
import "deep/small.tw"

sequence both(root) {
  choose what default yes { yes { include small.one(root) } no { } }
  include own(root)
}
sequence own(root) {
  for each f in root { suppress f { include clean(f) } }
  try root { include last(root) } else { }
}
sequence last(root) { cse root }
"""
SMALL = "sequence one(root) { W = 4 of [4, 8]; require W > 2; dce root }"
MAIN = """
import "parts.tw" as p
import "deep/small.tw"

schedule main(root) {
  include small.one(root)
  include p.both(root)
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "small.tw").write_text(SMALL)
    (tmp_path / "parts.tw").write_text(PARTS)
    (tmp_path / "main.tw").write_text(MAIN)
    return tmp_path


def error(folder: Path, text: str) -> str:
    (folder / "s.tw").write_text(text)
    with pytest.raises(UserError) as caught:
        Schedule.from_path(folder / "s.tw")
    return str(caught.value).replace(str(folder), "")


def test_imported_sequences_run_under_full_names(folder: Path) -> None:
    read = Schedule.from_path(folder / "main.tw")
    names = ["small.one", "parts.last", "parts.own", "parts.both", "__transform_main"]
    ops = [op for op in read.module.ops if isinstance(op, NamedSequenceOp)]
    found = [op.sym_name.data for op in ops]
    assert sorted(found) == sorted([*names, "clean"])
    assert read.defaults({}) == {"what": "yes", "W": 4}


def test_the_text_needs_none_of_the_files(folder: Path) -> None:
    read = Schedule.from_path(folder / "main.tw")
    text = read.to_tw()
    assert "import" not in text and "sequence parts.own(root)" in text
    again = Schedule.from_text(text, "elsewhere.tw")
    assert again.to_tw() == text


def test_a_schedule_can_be_included_as_a_sequence(folder: Path) -> None:
    (folder / "top.tw").write_text(
        'import "main.tw"\nschedule top(root) { include main.main(root) }'
    )
    read = Schedule.from_path(folder / "top.tw")
    assert read.name == "top"
    assert "main.main" in read.to_mlir()


def test_an_error_in_an_imported_file_is_placed_there(folder: Path) -> None:
    (folder / "deep" / "small.tw").write_text("sequence one(root) { tile rot by [4] }")
    with pytest.raises(UserError) as caught:
        Schedule.from_path(folder / "main.tw")
    assert "small.tw:1:27: error: unknown name 'rot'" in str(caught.value)


def test_a_text_that_does_not_parse_tells_who_imports_it(folder: Path) -> None:
    (folder / "deep" / "small.tw").write_text("sequence one(root {")
    with pytest.raises(UserError) as caught:
        Schedule.from_path(folder / "main.tw")
    told = str(caught.value)
    assert "small.tw:1:" in told and "note: it is imported here" in told


def test_files_of_one_name_in_two_folders(folder: Path) -> None:
    (folder / "small.tw").write_text("sequence one(root) { cse root }")
    text = MAIN.replace("schedule", 'import "small.tw" as mine\nschedule', 1)
    (folder / "two.tw").write_text(text.replace("small.one", "mine.one"))
    text = Schedule.from_path(folder / "two.tw").to_tw()
    assert "include small2.one(root)" in text
    assert Schedule.from_text(text).to_tw() == text


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            'import "part.tw"\nschedule s(root) { }',
            '/s.tw:1:1: error: import: there is no file "part.tw"; '
            "did you mean 'parts.tw'?",
        ),
        (
            'import "none/x.tw"\nschedule s(root) { }',
            '/s.tw:1:1: error: import: there is no file "none/x.tw"; '
            "paths begin at the folder of this file, ",
        ),
        (
            'import "parts.mlir"\nschedule s(root) { }',
            '/s.tw:1:1: error: import: "parts.mlir" is not a .tw file; '
            "import a file of the schedule language",
        ),
        (
            "import parts\nschedule s(root) { }",
            "/s.tw:1:1: error: import: the library has no 'parts'; "
            'to import your own file, write: import "parts.tw"',
        ),
        (
            'import "parts.tw"\nschedule s(root) { include parts.bth(root) }',
            "/s.tw:2:28: error: include: 'parts' has no sequence 'bth'; "
            "did you mean 'parts.both'?",
        ),
        (
            "schedule s(root) { include parts.both(root) }",
            "/s.tw:1:28: error: include: no sequence 'parts.both'; "
            "import its file first: import parts",
        ),
        (
            'import "s.tw"\nschedule s(root) { }',
            "/s.tw:1:1: error: import: 's.tw' imports itself: s.tw -> s.tw; "
            "move what both files need to a third file",
        ),
        (
            'import "parts.tw"\nimport "deep/small.tw" as parts\nschedule s(root) { }',
            "/s.tw:2:1: error: import: two files are called 'parts'; "
            'name one of them: import "deep/small.tw" as other',
        ),
        (
            "import\nschedule s(root) { }",
            "/s.tw:1:7: error: unexpected end of line; expected a name or a string",
        ),
        (
            'schedule s(root) {\n  import = match "func.func" in root\n}',
            "/s.tw:2:3: error: 'import' is a reserved word; choose another name",
        ),
    ],
)
def test_mistakes(folder: Path, text: str, expected: str) -> None:
    assert error(folder, text).splitlines()[0] == expected


def test_a_circle_over_two_files(folder: Path) -> None:
    (folder / "a.tw").write_text('import "b.tw"\nsequence f(root) { }')
    (folder / "b.tw").write_text('import "a.tw"\nsequence g(root) { }')
    told = error(folder, 'import "a.tw"\nschedule s(root) { include a.f(root) }')
    assert "'a.tw' imports itself: a.tw -> b.tw -> a.tw" in told


def test_an_error_in_a_sequence_names_the_includes_that_lead_there(
    folder: Path,
) -> None:
    (folder / "outer.tw").write_text(
        'import "inner.tw"\nsequence run(root) {\n  include inner.twice(root)\n}\n'
    )
    (folder / "inner.tw").write_text(
        "sequence other(root) { cse root }\n"
        "sequence twice(root) {\n"
        '  mm = match "linalg.matmul" in root\n'
        "  tile mm by [4]\n"
        "  tile mm by [4]\n}\n"
    )
    said = error(
        folder, 'import "outer.tw"\nschedule s(root) { include outer.run(root) }'
    )
    assert "inner.tw:5:3: error: tile: 'mm' was consumed" in said
    assert "outer.tw:3:3: note: in 'inner.twice', included here" in said
    assert "s.tw:2:20: note: in 'outer.run', included here" in said
    # A statement that cannot be lowered is placed like one that a check refuses.
    (folder / "inner.tw").write_text("sequence twice(root) {\n  tile root on [4]\n}\n")
    said = error(
        folder, 'import "outer.tw"\nschedule s(root) { include outer.run(root) }'
    )
    assert "inner.tw:2:13: error: tile: expected 'by'" in said
    assert "s.tw:2:20: note: in 'outer.run', included here" in said
