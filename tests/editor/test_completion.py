"""Completion offers what the tables allow at the cursor, the likeliest first."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.editor_texts import written
from tilewright.editor.answers.completion import complete
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.places import definition_of
from tilewright.editor.answers.signature import signature_at
from tilewright.editor.reading.positions import Span, Spot
from tilewright.schedules.language.verbs.vocabulary import VERBS

HEAD = 'schedule s(root) {\n  mm = match "linalg.matmul" in root\n  BM = knob [64]\n  '


def offered(statement: str, with_payload: bool = False) -> list[str]:
    """The labels after a statement."""
    document, spot = written(f"{HEAD}{statement}|\n}}\n", with_payload)
    return [candidate.label for candidate in complete(document, spot)]


@pytest.mark.parametrize(
    ("statement", "first"),
    [
        ("ti", "tile"),
        ("x, g = ti", "tile"),
        ("x = tile mm ", "by"),
        ("x = tile mm by [", "BM"),
        ("x = tile mm by [BM, B", "BM"),
        ("x = tile mm by [BM] ", "onto"),
        ("x = tile mm by [BM] onto [", "block.x"),
        ("x = tile mm by [BM] onto [block.y, block.", "block.x"),
        ("x = fuse ", "mm"),
        ("x = fuse mm ", "into"),
        ("x = match implementing [", "LinalgOp"),
        ("x = match contr", "contraction"),
        ("B = knob po", "pow2"),
        ("B = 64 of ", "pow2"),
        ("B = 64 of ra", "range"),
        ("o = permute [0, 1]\n  x = tile mm by [1, 1] interchange ", "o"),
        ("x = tile mm by [di", "dim"),
        ("A = 64 of [64, 128] x = fus", "fuse"),
        ('x = match "linalg.matmul" in', "in"),
        ("launch mm gr", "group"),
        ("launch mm warps = ", "BM"),
        ("launch mm descriptors = ", '"where_legal"'),
        ('library mm by "', "torch"),
        ("include cl", "clean"),
        ("require ", "BM"),
        ("B = knob [1, 2] d", "default"),
        ("structured.sp", "structured.specialize"),
        ("debug.", "debug.emit_remark_at"),
        ("x = structured.split mm d", "dimension"),
        ("BN = knob [1] x = fus", "fuse"),
        ("x = tile mm by [\n    ", "BM"),
        ("for each x in m", "mm"),
        ("x = merge(m", "mm"),
    ],
)
def test_the_first_candidate(statement: str, first: str) -> None:
    assert offered(statement)[0] == first


def test_ops_of_the_payload_come_before_others() -> None:
    found = offered('x = match "', with_payload=True)
    assert found.index("linalg.matmul") < found.index("arith.mulf")
    assert found.index("arith.mulf") < found.index("linalg.softmax")


def test_every_verb_is_offered_with_its_explanation() -> None:
    document, spot = written(f"{HEAD}|\n}}\n")
    found = {c.label: c for c in complete(document, spot)}
    for verb in VERBS:
        assert found[verb.name].detail == verb.doc


@pytest.mark.parametrize("statement", ["// ti", "x = 1 // fus"])
def test_nothing_is_offered_in_a_comment(statement: str) -> None:
    assert offered(statement) == []


def test_a_name_that_is_bound_later_is_not_offered() -> None:
    document, spot = written(
        "schedule s(root) {\n  cse |\n  later = match in root\n}\n"
    )
    assert [c.label for c in complete(document, spot)][0] == "root"
    assert "later" not in [c.label for c in complete(document, spot)]


def test_outside_of_a_definition_only_definitions_begin() -> None:
    document, spot = written("s|")
    assert [c.label for c in complete(document, spot)] == ["schedule", "sequence"]


def test_sequences_of_imported_files_are_offered(tmp_path: Path) -> None:
    (tmp_path / "parts.tw").write_text("sequence tail(h, n: param) { cse h }\n")
    text = 'import "parts.tw" as p\nschedule s(root) {\n  include p.\n}\n'
    document = Document(text, tmp_path / "s.tw")
    spot = Spot(3, len("  include p.") + 1)
    (found,) = complete(document, spot)
    assert (found.label, found.detail) == ("p.tail", "p.tail(h, n)")
    whole = Document(text.replace("p.\n", "p.tail(root, 4)\n"), tmp_path / "s.tw")
    target = definition_of(whole, spot)
    assert target is not None and target.path == tmp_path / "parts.tw"
    assert target.span == Span(Spot(1, 10), Spot(1, 14))


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("x = tile ", "HANDLE"),
        ("x = tile mm ", "by"),
        ("x = tile mm by [64, ", "[SIZES]"),
        ("x = tile mm by [64] onto [", "[onto [NAMES]]"),
        ("launch mm warps = ", "[warps = VALUE]"),
        ("launch mm warps = 4 ", "[group = VALUE]"),
        ("include clean(", "func"),
    ],
)
def test_the_signature_shows_the_part_that_comes_next(
    statement: str, part: str
) -> None:
    document, spot = written(f"{HEAD}{statement}|\n}}\n")
    found = signature_at(document, spot)
    assert found is not None and found.active is not None
    start, end = found.parts[found.active]
    assert found.label[start:end] == part


def test_the_mark_of_a_match_is_not_offered_as_an_option() -> None:
    assert offered("x = match contraction in root ") == ["at"]
