"""The key of a closed schedule: what changes it, and what does not."""

from __future__ import annotations

import pytest

from tilewright.schedules.closed_key import ClosedKeys
from tilewright.schedules.schedule import Schedule

TEXT = """
schedule linear(root) {
  func = match "func.func" in root
  mm   = match "linalg.matmul" in root
  tail = match "linalg.generic" in root
  BM = knob [64, 128] default 64
  BN = knob [64, 128]
  require BM * BN <= 128 * 128
  BK = BM / 2

  tail, grid = tile tail by [BM, BN] onto [block.y, block.x]
  mm, grid   = fuse mm into grid
  mm, k      = tile mm by [0, 0, BK]
  choose loads {
    pointers { }
    descriptors { descriptors grid }
  }
  launch grid warps = 4
  pipeline k stages = 3
  vectorize mm
  vectorize tail
  include to_vectors(func)
}
"""
POINT = {"BM": 64, "BN": 128, "loads": "descriptors"}


def keys(*changes: tuple[str, str]) -> ClosedKeys:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return ClosedKeys(Schedule.from_text(text).module)


KEY = keys()(POINT)

SAME = {
    "an option more": [("BN = knob [64, 128]", "BN = knob [32, 64, 128]")],
    "an option less": [("BN = knob [64, 128]", "BN = knob [128]")],
    "another default": [("default 64", "default 128")],
    "a branch more": [
        ("pointers { }", "pointers { } others { launch grid group = 8 }")
    ],
    "another branch": [("pointers { }", "pointers { launch grid group = 8 }")],
    "a constant": [("BN = knob [64, 128]", "BN = 128")],
    "a condition more": [("BK = BM", "require BM <= BN\n  BK = BM")],
    "the order of knobs": [
        ("  BN = knob [64, 128]\n", ""),
        ("  BM = knob", "  BN = knob [64, 128]\n  BM = knob"),
    ],
    "the order of matches": [
        ('  mm   = match "linalg.matmul" in root\n', ""),
        ("  BM = knob", '  mm = match "linalg.matmul" in root\n  BM = knob'),
    ],
    "the order of launch attributes": [
        ("  pipeline k stages = 3\n", ""),
        ("  launch grid warps", "  pipeline k stages = 3\n  launch grid warps"),
    ],
    "the names of handles": [("grid", "blocks"), ("mm", "product")],
    "a comment": [("  vectorize mm", "  // the product\n  vectorize mm")],
}


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME.keys())
def test_what_does_not_matter(changes: list[tuple[str, str]]) -> None:
    found = keys(*changes)
    point = dict(POINT)
    if changes[0][1] == "BN = 128":
        del point["BN"]
    assert found(point) == KEY


OTHER = {
    "another number": [("warps = 4", "warps = 8")],
    "another order of steps": [
        ("  vectorize mm\n  vectorize tail", "  vectorize tail\n  vectorize mm")
    ],
    "a step less": [("  vectorize tail\n", "")],
    "a step more in the branch": [("descriptors grid }", "}")],
    "another formula": [("BK = BM / 2", "BK = BM / 4")],
    "a match after a step": [
        ('  func = match "func.func" in root\n', ""),
        ("  include", '  func = match "func.func" in root\n  include'),
    ],
    "another match": [("linalg.matmul", "linalg.batch_matmul")],
    "a value set twice": [("warps = 4", "warps = 4\n  launch grid warps = 8")],
}


@pytest.mark.parametrize("changes", OTHER.values(), ids=OTHER.keys())
def test_what_matters(changes: list[tuple[str, str]]) -> None:
    assert keys(*changes)(POINT) != KEY


def test_points_are_told_apart() -> None:
    found = keys()
    others = [
        {**POINT, "BM": 128},
        {**POINT, "BN": 64},
        {**POINT, "loads": "pointers"},
    ]
    assert len({KEY, *map(found, others)}) == 4


def test_a_renamed_knob_has_the_same_key() -> None:
    renamed = keys(("BM", "rows"), ("loads", "how"), ("descriptors {", "tma {"))
    assert renamed({"rows": 64, "BN": 128, "how": "tma"}) == KEY


def test_defaults_and_bound_choices_close_a_knob() -> None:
    found = keys()
    assert found({"BN": 128, "loads": "descriptors"}) == KEY
    bound = Schedule.from_text(TEXT).with_point(POINT)
    assert ClosedKeys(bound.module)({}) == KEY


def test_the_order_of_values_set_twice_matters() -> None:
    twice = "  launch grid warps = 4\n  launch grid warps = 8\n"
    turned = "  launch grid warps = 8\n  launch grid warps = 4\n"
    first = keys(("  launch grid warps = 4\n", twice))
    second = keys(("  launch grid warps = 4\n", turned))
    assert first(POINT) != second(POINT)


def test_the_key_stays_the_same_over_versions() -> None:
    """A change would lose every result; raise `VERSION` if it is meant."""
    text = 'schedule s(root) { mm = match "linalg.matmul" in root\n  vectorize mm }'
    module = Schedule.from_text(text).module
    assert ClosedKeys(module)({}) == "b30fbcfb7b62315f6909178903f4bf3f"
