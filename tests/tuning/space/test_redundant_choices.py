"""Choices that change nothing, found by trying them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import EXAMPLES
from tilewright.ir.errors import SilenceableFailure
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.redundant_choices import (
    Unchanged,
    probe,
    unchanged_choices,
)
from tilewright.tuning.space.space import space_of

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
SPACE = space_of({"BM": [64, 128], "unused": [1, 2, 3], "never": [1, 2]})


def key_of(point: Point) -> str:
    if point["never"] == 2:
        raise SilenceableFailure("refused")
    return f"kernel {point['BM']}"


def test_what_changes_nothing_is_named() -> None:
    found = {one.name: one for one in probe(SPACE, key_of, points=8)}
    assert not found["BM"].changes_nothing and found["BM"].tried > 0
    assert found["unused"].changes_nothing
    assert found["never"].tried == 0 and not found["never"].changes_nothing


def test_branches_with_choices_of_their_own_are_compared() -> None:
    schedule = Schedule.from_text("""schedule s(root) {
  choose kind { a { X = knob [1, 2] }  b { Y = knob [1, 2] } }
}
""")
    space = read_space(schedule.module, schedule.entry)
    found = {one.name: one for one in probe(space, str)}
    assert found["kind"].tried > 0 and not found["kind"].changes_nothing


def test_a_choice_is_varied_until_it_changes_the_program() -> None:
    space = space_of({"BM": list(range(40)), "unused": [1, 2]})
    asked: list[int] = []
    found = probe(space, lambda p: asked.append(1) or f"{p['BM']}", points=4)
    assert [one.changes_nothing for one in found] == [False, True]
    assert len(asked) < 12


def test_what_changed_nothing_among_programs_is_named() -> None:
    programs: list[tuple[Point, str]] = [
        ({"BM": 64, "warps": 4, "group": 1, "once": 1}, "a"),
        ({"BM": 64, "warps": 4, "group": 2, "once": 1}, "a"),
        ({"BM": 128, "warps": 4, "group": 2, "once": 1}, "b"),
        ({"BM": 128, "warps": 8, "group": 2, "once": 1}, "b"),
        ({"BM": 64, "warps": 8, "group": 1, "once": 1}, "c"),
        ({"BM": 32, "warps": 4, "group": 1, "once": 1}, ""),
        ({"BM": 32, "warps": 4, "group": 1, "once": 2}, ""),
    ]
    # `warps` changes a program next to the first; `once` gave no program.
    assert unchanged_choices(programs, None) == [Unchanged("group", 1, proved=False)]


def test_a_claim_is_no_larger_than_what_was_compared() -> None:
    """At BK = 128 the stages do not matter; at BK = 32 they do."""
    compared: list[tuple[Point, str]] = [
        ({"BK": 128, "stages": 2}, "one step"),
        ({"BK": 128, "stages": 3}, "one step"),
    ]
    (claim,) = unchanged_choices(compared, valid=4)
    assert str(claim) == (
        "changed nothing in the kernels or their launches in the 1 pair of points "
        "compared"
    )
    others: list[tuple[Point, str]] = [
        ({"BK": 32, "stages": 2}, "two stages"),
        ({"BK": 32, "stages": 3}, "three stages"),
    ]
    assert unchanged_choices(compared + others, valid=4) == []
    same: list[tuple[Point, str]] = [(point, "equal") for point, _ in others]
    (claim,) = unchanged_choices(compared + same, valid=4)
    assert str(claim).endswith("at any valid point")


def test_a_probe_of_every_point_is_a_proof() -> None:
    space = space_of({"BM": [64, 128], "unused": [1, 2]})
    (claim,) = [one.unchanged for one in probe(space, lambda p: f"{p['BM']}", 40)][1:]
    assert claim is not None and claim.proved
    many = space_of({"BM": list(range(40)), "unused": [1, 2]})
    (claim,) = [one.unchanged for one in probe(many, lambda p: f"{p['BM']}")][1:]
    assert claim is not None and not claim.proved


def test_programs_are_built_once() -> None:
    asked: list[str] = []
    probe(SPACE, lambda point: asked.append(str(point)) or "same", points=8)
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("group", ["8", "knob [8, 16]"])
def test_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], group: str
) -> None:
    from tilewright.commands.space import space

    schedule = tmp_path / "redundant.tw"
    schedule.write_text(
        f"""schedule redundant(root) {{
  func = match "func.func" in root
  mm = match "linalg.matmul" in root
  tail = match "linalg.generic" in root
  BM = knob [64, 128]  GROUP = {group}
  tail, g = tile tail by [BM, 128] onto [block.y, block.x]
  mm, g = fuse mm into g
  launch g group = GROUP
}}
"""
    )
    space(schedule, PAYLOAD)
    out = capsys.readouterr().out
    if "knob" in group:
        assert "GROUP: changes nothing in the kernels or their launches" in out
    else:
        assert "every choice changes the kernels" in out
