"""Completion offers what the tables allow at the cursor, the likeliest first."""

from __future__ import annotations

import pytest

from support.editor_texts import written
from tilewright.editor.answers.completion import complete
from tilewright.editor.answers.signature import signature_at
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
        ('x = match "linalg.matmul" in', "in"),
        ("launch mm gr", "group"),
        ("launch mm warps = ", "BM"),
        ("launch mm descriptors = ", '"where_legal"'),
        ('library mm by "', "torch"),
        ("include cl", "clean"),
        ("require ", "BM"),
        ("B = knob [1, 2] d", "default"),
        ("structured.sp", "structured.specialize"),
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
