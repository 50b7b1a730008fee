"""The valid point nearest to a wanted one, in small spaces and in large ones."""

from __future__ import annotations

import random

import pytest

from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space, space_of
from tilewright.tuning.transfer import nearest_point as module
from tilewright.tuning.transfer.nearest_point import distance, nearest_point

TEXT = """
schedule s(root) {
  BM = knob [16, 32, 64, 128, 256] default 64
  BN = knob [16, 32, 64, 128, 256]
  S = knob [1, 2, 3, 4] default 2
  require BM * BN <= 64 * 128
  choose loads default pointers {
    pointers { }
    descriptors { D = knob [0, 1] }
  }
}
"""


@pytest.fixture
def space() -> Space:
    return read_space(Schedule.from_text(TEXT).module)


def test_a_valid_point_stays(space: Space) -> None:
    wanted = {"BM": 64, "BN": 128, "S": 3, "loads": "descriptors", "D": 1}
    assert nearest_point(space, wanted) == wanted


def test_values_that_are_no_options_become_the_nearest(space: Space) -> None:
    found = nearest_point(space, {"BM": 48, "BN": 8, "S": 9, "loads": "pointers"})
    assert found == {"BM": 64, "BN": 16, "S": 4, "loads": "pointers"}


def test_open_choices_get_their_defaults(space: Space) -> None:
    found = nearest_point(space, {"BM": 32, "BN": 32, "other": 7})
    assert found == {"BM": 32, "BN": 32, "S": 2, "loads": "pointers"}


def test_constraints_move_numbers_and_keep_the_structure(space: Space) -> None:
    wanted = {"BM": 256, "BN": 128, "S": 4, "loads": "descriptors", "D": 1}
    found = nearest_point(space, wanted)
    assert found is not None and space.contains(found)
    assert (found["loads"], found["D"], found["S"]) == ("descriptors", 1, 4)
    # Two halvings in all, in whichever of the two.
    assert distance(space, found, wanted) == 2.0


def test_a_walk_ends_near_what_enumeration_finds(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(0)
    loose = space_of({"BM": (16, 64, 512), "BN": (16, 128, 512), "S": (1, 3, 5)})
    for _ in range(20):
        wanted = {**loose.sample(rng), "loads": rng.choice(("pointers", "descriptors"))}
        exact = nearest_point(space, wanted)
        monkeypatch.setattr(module, "ENUMERATED", 0)
        walked = nearest_point(space, wanted)
        monkeypatch.undo()
        assert exact is not None and walked is not None and space.contains(walked)
        assert distance(space, walked, wanted) <= distance(space, exact, wanted) + 1.0


def test_a_space_without_points_has_none() -> None:
    text = "schedule s(root) { A = knob [1, 2]\n require A > 2 }"
    empty = read_space(Schedule.from_text(text).module)
    assert nearest_point(empty, {"A": 1}) is None
