"""Failures are grouped by line and reason, with what they have in common."""

from __future__ import annotations

from support.tuning.logs import planted
from tilewright.ir.errors import Note, Place, UserError
from tilewright.tuning.explaining.failures import group_failures
from tilewright.tuning.explaining.tuning_log import LoggedTrial

VECTORIZE = str(
    UserError(
        "vectorize: vector size 4 does not cover loop 0 of extent 16",
        Place("linear.tw", 14, 3, "  vectorize tile"),
        "tile the loop to at most 4",
    )
)
IN_PAYLOAD = str(
    UserError(
        "'memref.alloc': a buffer is allocated inside a grid",
        Place("decoding.mlir", 47, 3),
        "keep the tile in registers",
        [Note("in the kernel that this makes", Place("split.tw", 9, 18))],
    )
)


def failed(outcome: str, error: str, **point: int) -> LoggedTrial:
    return LoggedTrial(dict(point), outcome, error=error)


def test_the_line_the_op_the_reason_and_the_remedy() -> None:
    trials = [
        *(failed("invalid", VECTORIZE, A=n % 2, B=1) for n in range(6)),
        *(failed("invalid", IN_PAYLOAD, A=1, B=2) for _ in range(3)),
        LoggedTrial({"A": 1, "B": 3}, "ok", p50=1.0),
    ]
    first, second = group_failures(trials)
    assert (first.count, first.share) == (6, 0.6)
    assert (first.place, first.op, first.stage) == (
        "linear.tw:14",
        "vectorize",
        "transform",
    )
    assert first.reason == "vector size 4 does not cover loop 0 of extent 16"
    assert first.remedy == "tile the loop to at most 4"
    assert first.options == (("B", "1"),)
    # The error is about the payload; a note has the line of the schedule.
    assert (second.place, second.op) == ("split.tw:9", "memref.alloc")
    assert second.options == (("A", "1"), ("B", "2"))


def test_reasons_that_differ_in_numbers_are_one() -> None:
    text = "gemm_kernel: needs {} bytes of shared memory, h200 allows 232448"
    trials = [failed("pruned", text.format(n), A=n) for n in (245760, 262144)]
    (group,) = group_failures(trials)
    assert group.count == 2 and "245760" in group.reason and "require" in group.remedy
    other = [*trials, failed("pruned", "gemm_kernel2: needs 1 bytes", A=1)]
    assert len(group_failures(other)) == 2


def test_the_stage_is_the_last_that_took_time() -> None:
    before = LoggedTrial({}, "pruned", seconds={"transform": 0.1, "emit": 0.1})
    after = LoggedTrial({}, "pruned", error="k: spills 9 bytes", seconds={"compile": 1})
    wrong = LoggedTrial({}, "wrong", error="max error 3", seconds={"time": 0.1})
    stages = {group.reason: group.stage for group in group_failures([before, after])}
    assert stages == {"no reason was recorded": "emit", "spills 9 bytes": "compile"}
    assert group_failures([wrong])[0].stage == "check"


def test_failures_from_outside_are_told_apart() -> None:
    trial = LoggedTrial({}, "timeout", error="not done after 7 s", cause="environment")
    (group,) = group_failures([trial])
    assert group.by_environment and group.remedy


def test_no_failures() -> None:
    assert group_failures(planted(10).trials) == ()
    assert group_failures([]) == ()
