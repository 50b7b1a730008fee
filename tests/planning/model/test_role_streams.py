"""The time of a stream with roles: the tiles of the busiest multiprocessor."""

import cProfile

import numpy as np
import pytest

from tilewright.codegen.targets import target_named
from tilewright.planning.model.roles import RoleTile, _longest

H200 = target_named("h200")


def busiest(steps: list[float], batch: int, *, group: int = 1) -> float:
    tile = RoleTile(64, 64, 64, persistent=True, group=group)
    return _longest(np.array(steps), batch, tile, H200)


def test_tiles_that_do_not_divide_among_the_programs():
    assert busiest([3.0], H200.sms) == 3.0
    assert busiest([3.0], H200.sms + 1) == 6.0


def test_tiles_of_a_group_alternate():
    # The programs take a tile of 5 and one of 1 each, or two alike.
    assert busiest([5.0, 1.0], H200.sms, group=H200.sms) == 6.0
    assert busiest([5.0, 1.0], H200.sms) == pytest.approx(10.0)


def test_the_model_runs_under_a_profiler():
    """A profiler holds references: numpy resizes no array in place then."""
    with cProfile.Profile():
        assert busiest([1.0, 2.0], 7) == 2.0
