"""Range certificates rest on the sizes that were timed."""

from __future__ import annotations

from tilewright.tuning.transfer.certificates import certificate
from tilewright.tuning.transfer.size_tree import TimedSize

SMALL, LARGE = 0, 1
TIMED = [
    TimedSize({"M": 900}, (1.03, 1.02)),
    TimedSize({"M": 64}, (1.0, 2.0)),
    TimedSize({"M": 256}, (1.02, 1.0)),
    TimedSize({"M": 4096}, (9.0, 4.0)),
    TimedSize({"M": 8192}, (None, 8.0)),
]


def test_a_range_is_the_longest_without_a_gap() -> None:
    found = certificate(TIMED, SMALL)
    assert found is not None
    assert (found.low, found.high, found.sampled) == (64, 900, 3)
    assert str(found) == (
        "within 3% of the best for M in [64, 900], at 3 sampled sizes "
        "(at most 2.0% slower)"
    )
    large = certificate(TIMED, LARGE)
    assert large is not None and (large.low, large.high) == (256, 8192)
    assert large.worst == 0.0


def test_one_size_is_no_range() -> None:
    found = certificate(TIMED[1:2], SMALL)
    assert "for M = 64, at 1 sampled size" in str(found)
    assert certificate(TIMED[1:2], LARGE) is None


def test_several_sizes_that_vary_have_no_range() -> None:
    timed = [TimedSize({"M": 1, "N": 2}, (1.0,)), TimedSize({"M": 2, "N": 4}, (1.0,))]
    assert certificate(timed, 0) is None
