"""The time of rows that a loop reads."""

from __future__ import annotations

from tilewright.codegen.targets import TARGETS
from tilewright.planning.model.row_loops import RowLoops, looped_seconds


def test_a_row_of_indices_alone_takes_time_and_less_than_one_that_is_read() -> None:
    def seconds(read: float) -> float:
        loops = RowLoops(8, 2048, 1, 1, 1 << 20, read, 4.0, 1, 8.0)
        return looped_seconds(loops, 4096, TARGETS["h200"])

    assert 0 < seconds(0.0) < seconds(4.0 * (1 << 20))
