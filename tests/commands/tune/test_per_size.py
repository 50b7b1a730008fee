"""`tune --per-size`: the table that is decided, printed and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest
from rich.console import Console

from support.tuning.records import record
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.tune.per_size import (
    check_names,
    decide,
    say_decision,
    table_text,
    varied_sizes,
)
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.records import Final
from tilewright.tuning.results.tuning_result import Finalist, Trial, TuningResult

PAYLOAD = parse_payload("""
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %y = linalg.add ins(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>)
    outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
""")
NAMES = {"M": [(0, 0)]}
SCHEDULE = Schedule.from_text("""// kept
schedule s(root) {
  R = knob [1, 2, 4]
}
""")


def cases(*rows: int) -> list[SizedCase]:
    return [
        SizedCase(PAYLOAD, 0, ((row, 4),), f"M={row}", timed=row != 3) for row in rows
    ]


def result(
    times: Sequence[tuple[int, tuple[float, ...]]], *, final: bool
) -> TuningResult:
    """A run whose points took these times at each size."""
    made = [
        replace(record(1.0, point={"R": r}, program=str(r)), each=each)
        for r, each in times
    ]
    trials = tuple(Trial(n, one, "new") for n, one in enumerate(made, 1))
    finalists = tuple(
        Finalist(f"trial {r}", {"R": r}, Final(1.0, 1.0, 1.0), str(r), each)
        for r, each in times
        if final
    )
    return TuningResult(
        best=trials[0],
        trials=trials,
        measured=final,
        device="NVIDIA H200",
        strategy="grid",
        space_size=3,
        space_valid=3,
        exhausted=True,
        interrupted=False,
        finalists=finalists,
        seconds={},
        wall_seconds=1.0,
        lost_workers=0,
        default_point={"R": 1},
    )


@pytest.mark.parametrize("final", [True, False])
def test_the_table_of_a_run(final: bool) -> None:
    times = [(1, (2.0, 2.0, 9.0)), (2, (1.0, 2.5, 6.0)), (4, (4.0, 2.01, 3.0))]
    some = cases(4, 64, 1024, 3)
    varied = varied_sizes(PAYLOAD, NAMES, some)
    decision = decide(result(times, final=final), PAYLOAD, varied, some)
    # Two leaves suffice: R = 4 is within one percent of the best at 64.
    assert [(r.title, r.point) for r in decision.table.rules] == [
        ("M <= 16", {"R": 2}),
        ("else", {"R": 4}),
    ]
    out = StringIO()
    say_decision(decision, Console(file=out, width=200), measured=final)
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert lines[2][:3] == ["M=64", "2.0000", "2.0100"]
    assert "(+0.5%)" in lines[2]
    assert "2 rules for 3 sizes, at most 0.5% slower" in out.getvalue()
    assert "R=4: within 3% of the best for M in [64, 1024], at 2 sampled" in " ".join(
        out.getvalue().split()
    )
    assert ("by the cost model" in out.getvalue()) is not final
    text = table_text(SCHEDULE, decision, "NVIDIA H200", datetime.now(UTC))
    assert "// kept" in text and "// M=64: 2.0100 ms, M=1024: 3.0000 ms" in text
    assert Schedule.from_text(text).table == decision.table


def test_one_size_needs_no_table() -> None:
    with pytest.raises(UsageError, match="only one size to tune for"):
        varied_sizes(PAYLOAD, NAMES, cases(4, 3))


def test_a_table_needs_names() -> None:
    check_names(["BM", "loads"])
    for name in ("my warps", "else"):
        with pytest.raises(UsageError, match=f"cannot have the choice '{name}'"):
            check_names([name])
