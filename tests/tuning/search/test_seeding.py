"""Seeds of a search, and neighbours of a point."""

from __future__ import annotations

from support.paths import EXAMPLES
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.search.seeding import SeededStrategy
from tilewright.tuning.search.strategies import make_strategy
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.space.read import read_space

MATMUL_RELU = EXAMPLES / "matmul_relu"
SCHEDULE = Schedule.from_path(MATMUL_RELU / "tuned.tw")
SPACE = read_space(SCHEDULE.module)
POINT = dict(BM=128, BN=128, BK=64, warps=8, stages=3, group=4)
POINT |= {"tail_placement": "fused", "loads": "pointers"}


def test_neighbours_differ_in_one_choice_and_are_valid() -> None:
    found = SPACE.neighbours(POINT)
    assert {**POINT, "loads": "descriptors"} in found
    assert {**POINT, "BN": 256} in found
    assert len({canonical(point) for point in found}) == len(found)
    for point in found:
        assert SPACE.contains(point)
        assert sum(point[name] != POINT[name] for name in POINT) == 1
    # 256 x 256 would break a constraint.
    assert {**POINT, "BM": 256, "BN": 256} not in SPACE.neighbours({**POINT, "BM": 256})


def test_given_points_come_first_and_nothing_twice() -> None:
    seeded = SeededStrategy([POINT, POINT], make_strategy("random", SPACE, 0))
    assert seeded.ask(4) == [POINT]
    near = SPACE.neighbours(POINT)[:2]
    seeded.add([POINT, *near])
    assert seeded.ask(4) == near
    seen = {canonical(point) for point in [POINT, *near]}
    seeded.tell(POINT, 1.0)
    for _ in range(10):
        for point in seeded.ask(4):
            assert canonical(point) not in seen
            seen.add(canonical(point))
            seeded.tell(point, 2.0)


def test_a_seed_that_waits_comes_to_the_front() -> None:
    near = SPACE.neighbours(POINT)[:3]
    seeded = SeededStrategy([POINT, *near], make_strategy("random", SPACE, 0))
    assert seeded.ask(1) == [POINT]
    seeded.add([near[2], POINT])
    assert seeded.ask(3) == [near[2], near[0], near[1]]
