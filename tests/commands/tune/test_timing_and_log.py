"""How candidates are timed, the log of a run, and after how many calls it pays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.tuning.records import record
from tilewright.commands.tune.arguments import TimingArguments
from tilewright.commands.tune.prepare import timed_by
from tilewright.commands.tune.trial_log import TrialLog, trial_line
from tilewright.ir.errors import UserError
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.tuning_result import Trial, TuningResult
from tilewright.tuning.space.space import space_of

USUAL = TimingOptions.of_a_trial()


def trial(number: int, ms: float | None, **changes: Any) -> Trial:
    made = record(ms, point={"BM": number}, program=f"p{number}", **changes)
    return Trial(number, made, "new")


def result(best: Trial, *others: Trial, measured: bool = True) -> TuningResult:
    return TuningResult(
        best=best,
        trials=(best, *others),
        measured=measured,
        device="NVIDIA H200",
        strategy="random",
        space_size=2,
        space_valid=2,
        exhausted=False,
        interrupted=False,
        finalists=(),
        seconds={},
        wall_seconds=1.0,
        lost_workers=0,
        default_point={"BM": 1},
    )


def test_what_is_asked_for_takes_the_place_of_the_usual() -> None:
    assert TimingArguments().options() == USUAL
    asked = TimingArguments(flush_mb=0.0, warmup_ms=1.0, repetition_ms=100.0).options()
    assert (asked.flush_mb, asked.warmup_ms, asked.repetition_ms) == (0.0, 1.0, 100.0)
    # A kernel of 2 us has 50,000 repetitions in 100 ms.
    assert asked.max_repetitions > 50_000 and asked.slower == USUAL.slower


def test_times_with_another_flush_have_a_key_of_their_own() -> None:
    task: Any = TuningTask(lambda _: None, space_of({}), "p", "s", sizes="M=4")  # type: ignore[arg-type,return-value]
    assert timed_by(task, USUAL) == task
    assert timed_by(task, replace(USUAL, repetition_ms=1.0)) == task
    keys = {
        timed_by(task, TimingArguments(flush_mb=mb).options()).sizes
        for mb in (0.0, 60.0, None)
    }
    assert keys == {"M=4; L2 flush of 0 MB", "M=4; L2 flush of 60 MB", "M=4"}


def test_the_log_has_a_line_for_each_configuration(tmp_path: Path) -> None:
    path = tmp_path / "trials.log"
    with TrialLog(path) as log:
        log.write(trial(1, 0.5))
        assert path.read_text().count("\n") == 1  # it can be read at once
        log.write(trial(2, None, outcome="invalid", error="tile: no\nmore"))
    first, second = path.read_text().splitlines()
    assert first.startswith("1  ok  0.500000 ms") and first.endswith("BM=1")
    assert "2  invalid  tile: no  new" in second and second.endswith("BM=2")
    assert "\n" not in trial_line(trial(3, None, outcome="wrong", error="a\nb"))
    with (
        pytest.raises(UserError, match="cannot write"),
        TrialLog(tmp_path / "no" / "f"),
    ):
        pass


def test_tuning_pays_for_itself_after_some_calls() -> None:
    found = result(trial(2, 0.5), trial(1, 1.0))
    assert found.payback(10.0) == (
        "tuning pays for itself after 20,000 calls: each saves 0.5000 ms over the "
        "default point"
    )
    estimated = result(trial(2, 0.5), trial(1, 1.0), measured=False).payback(10.0)
    assert estimated is not None and "calls, by the cost model: each" in estimated
    default = trial(1, 1.0)
    assert result(default).payback(10.0) is None
    assert result(trial(2, 0.5)).payback(10.0) is None  # the default was not tried
