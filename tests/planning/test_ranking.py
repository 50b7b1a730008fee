"""The points that seed a search: valid, different, the defaults first."""

import pytest

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, linear, softmax
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan
from tilewright.planning.ranking import ranked_points
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space


def two_kernels() -> Plan:
    payload = Payload("layer")
    x = payload.input("x", (512, 256), "bf16")
    w = payload.input("w", (256, 1024), "bf16")
    payload.output(softmax(linear(x, w), -1))
    return plan(parse_payload(payload.text()), target_named("h200"))


@pytest.fixture(scope="module")
def planned() -> Plan:
    return two_kernels()


@pytest.fixture(scope="module")
def space(planned: Plan) -> Space:
    return read_space(planned.schedule.module, planned.schedule.entry)


def test_the_defaults_come_first(planned: Plan, space: Space) -> None:
    assert space.completed(ranked_points(planned, 1)[0]) == space.default_point()


def test_seeds_are_different_points_of_the_space(planned: Plan, space: Space) -> None:
    seeds = [space.completed(seed) for seed in ranked_points(planned, 20)]
    assert len(seeds) == 20
    assert [space.why_not(seed) for seed in seeds] == [None] * 20
    assert len({tuple(sorted(seed.items())) for seed in seeds}) == 20


def test_one_kernel_differs_from_the_defaults(planned: Plan, space: Space) -> None:
    first, *others = (space.completed(seed) for seed in ranked_points(planned, 12))
    for seed in others:
        names = {n for n in first | seed if first.get(n) != seed.get(n)}
        assert len({name.rsplit("_", 1)[-1] for name in names}) == 1
