"""How a learning search begins and ends: best_estimates first, neighbours last."""

from __future__ import annotations

import contextlib

from support.paths import EXAMPLES
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import SilenceableFailure
from tilewright.pipeline import Built, Point, build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.model.cost import estimate
from tilewright.tuning.search.seeding import SeededStrategy, best_estimates, sample
from tilewright.tuning.search.strategies import make_strategy
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.space.read import read_space

MATMUL_RELU = EXAMPLES / "matmul_relu"
SCHEDULE = Schedule.from_path(MATMUL_RELU / "tuned.tw")
SPACE = read_space(SCHEDULE.module)
POINT = dict(BM=128, BN=128, BK=64, warps=8, stages=3, group=4)
POINT |= {"tail_placement": "fused", "loads": "pointers"}


def test_favourites_are_ranked_by_the_cost_model() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    target = target_named("h200")

    def make(point: Point) -> Built:
        return build(payload, SCHEDULE, point, verify_steps=False)

    points = sample(SPACE, 3, seed=1)
    assert points == sample(SPACE, 3, seed=1) != sample(SPACE, 3, seed=2)
    built: list[tuple[Point, GeneratedProgram]] = []
    for point in points:
        with contextlib.suppress(SilenceableFailure):
            built.append((point, make(point).program))
    chosen = best_estimates(built, target, 3)
    costs = [estimate(make(p).program, None, target).milliseconds for p in chosen]
    assert len(chosen) == 3 and costs == sorted(costs)


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
    guided = SeededStrategy([POINT, POINT], make_strategy("tpe", SPACE, 0))
    (first,) = guided.ask(4)
    assert first == POINT
    guided.add([POINT, *SPACE.neighbours(POINT)[:2]])
    assert guided.ask(4) == SPACE.neighbours(POINT)[:2]
    seen = {canonical(POINT), *map(canonical, SPACE.neighbours(POINT)[:2])}
    guided.tell(POINT, 1.0)
    for _ in range(10):
        for point in guided.ask(4):
            assert canonical(point) not in seen
            seen.add(canonical(point))
            guided.tell(point, 2.0)
