"""Choices that change nothing, found by trying them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import EXAMPLES
from support.tuning.records import record
from tilewright.ir.errors import SilenceableFailure
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.tuning_result import Trial, redundant_choices
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.redundant_choices import probe
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


def test_what_changed_nothing_among_trials_is_named() -> None:
    def trial(number: int, program: str, **point: int) -> Trial:
        return Trial(number, record(point=point, program=program), "new")

    trials = [
        trial(0, "a", BM=64, warps=4, group=1, once=1),
        trial(1, "a", BM=64, warps=4, group=2, once=1),
        trial(2, "b", BM=128, warps=4, group=2, once=1),
        trial(3, "b", BM=128, warps=8, group=2, once=1),
        trial(4, "c", BM=64, warps=8, group=1, once=1),
        trial(5, "", BM=32, warps=4, group=1, once=1),
        trial(6, "", BM=32, warps=4, group=1, once=2),
    ]
    # `warps` changes a program next to trial 0; `once` gave no program.
    assert redundant_choices(trials) == ["group"]


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
