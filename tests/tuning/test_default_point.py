"""The default point of a schedule is the first trial, and the report compares with it.

Programs that compute with torch on the host stand in for kernels.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from rich.console import Console

from support.tuning.records import record
from support.tuning.samples import broken
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import target_named
from tilewright.commands.tune.report import report
from tilewright.commands.tune.summary import summary_of
from tilewright.ir.errors import SilenceableFailure
from tilewright.tuning.final_round import choose_finalists
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.records import Final
from tilewright.tuning.results.tuning_result import Finalist, Trial, TuningResult
from tilewright.tuning.space.choices import Constraint, Knob, Point
from tilewright.tuning.space.space import Space
from tilewright.tuning.tuner import tune

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)


@dataclass(frozen=True)
class Sample:
    """What the pipeline would return."""

    program: GeneratedProgram
    seconds: dict[str, float] = field(default_factory=lambda: {"emit": 0.0})


def build(point: Point) -> Sample:
    if point["kind"] == "refused":
        raise SilenceableFailure("tile: size 48 does not divide 64")
    delay = {"fast": 0.0002, "middle": 0.001, "slow": 0.003}[str(point["kind"])]
    return Sample(broken(f"    time.sleep({delay})\n    return a + 1"))


def tuned(
    folder: Path, default: str, *constraints: Constraint, **changes: object
) -> TuningResult:
    first = build({"kind": "fast"}).program
    expected = ExpectedResults([random_inputs(first.arguments, 7)[0] + 1], seed=7)
    kinds = ("fast", "refused", "middle", "slow")
    space = Space((Knob("kind", kinds, default=default), *constraints))
    settings: dict[str, object] = {
        "device": "cpu",
        "device_name": "host",
        "strategy": "random",
        "workers": 1,
        "timing": QUICK,
        "final_rounds": 3,
    }
    options = TuneOptions(
        target_named("h200"),
        folder,
        **{**settings, **changes},  # type: ignore[arg-type]
    )
    return tune(TuningTask(build, space, "payload", "s", (expected,)), options)


def printed(result: TuningResult) -> str:
    text = io.StringIO()
    report(result, Console(file=text, width=200))
    return text.getvalue()


def test_the_report_compares_with_the_default_point() -> None:
    first: Point = {"BM": 64}
    second: Point = {"BM": 128}
    trials = (
        Trial(1, record(3.0, point=first, program="a"), "new"),
        Trial(2, record(2.0, point=second, program="b"), "new"),
    )
    result = TuningResult(
        *(trials[1], trials, True, "card", "tpe", 2, 2, True, False),
        *((), {"time": 1.0}, 2.0, 0),
        default_point=first,
    )
    line = "default point (trial 1): 3.0000 ms; the best is 1.50x as fast\n"
    assert line in printed(result)
    assert choose_finalists(trials, 1, trials[0]) == [trials[1], trials[0]]
    shown = re.findall(r"<t[hd] [^>]*>([^<]*)", result._repr_html_())
    assert shown == ["rank", "ms", "BM", "1", "2.0000", "128", "2", "3.0000", "64"]
    branch = Trial(1, record(3.0, point={"BM": 64, "S": 2}, program="a"), "new")
    both = printed(replace(result, trials=(branch, trials[1])))
    assert both.splitlines()[0].split() == ["rank", "ms", "BM", "choices"]
    timed = tuple(
        Finalist(name, None, Final(ms, ms, ms), program)
        for name, ms, program in (("trial 2", 2.0, "b"), ("trial 1", 2.2, "a"))
    )
    again = replace(result, finalists=timed)
    assert again.gain() == pytest.approx(1.1)
    assert "default" not in printed(replace(result, default_point=None))
    failed = Trial(1, record(None, point=first, program="a"), "new")
    result = replace(result, trials=(failed, trials[1]))
    assert "trial 1): crash: illegal memory access\n" in printed(result)
    assert result.gain() is None


@pytest.mark.slow
def test_the_default_point_is_timed_with_the_best(tmp_path: Path) -> None:
    result = tuned(tmp_path, "slow", finalists=1)
    assert result.trials[0].point == {"kind": "slow"}
    assert result.default_trial is result.trials[0]
    assert [one.name.endswith("(default point)") for one in result.finalists] == [
        False,
        True,
    ]
    gain = result.gain()
    assert gain is not None and gain > 1.5
    assert f"; the best is {gain:.2f}x as fast\n" in printed(result)
    assert "default point (trial 1): " in printed(result)
    assert summary_of(result)["default"]["gain"] == gain


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["grid", "random", "tpe"])
def test_every_strategy_begins_with_it(tmp_path: Path, strategy: str) -> None:
    result = tuned(tmp_path, "middle", strategy=strategy, finalists=0)
    kinds = [trial.point["kind"] for trial in result.trials]
    assert kinds[0] == "middle" and len(set(kinds)) == len(kinds) == 4


@pytest.mark.slow
def test_a_default_point_that_does_not_work(tmp_path: Path) -> None:
    result = tuned(tmp_path, "refused", finalists=0)
    assert result.best.point == {"kind": "fast"} and result.gain() is None
    text = printed(result)
    assert "default point (trial 1): invalid: " in text
    assert "tile: size 48 does not divide 64\n" in text


@pytest.mark.slow
def test_a_default_point_that_is_not_valid(tmp_path: Path) -> None:
    rule = Constraint(("kind",), "kind != slow", lambda values: values[0] != "slow")
    result = tuned(tmp_path, "slow", rule, finalists=0)
    assert result.default_trial is None and len(result.trials) == 3
    note = "the default point is not tried: constraint not satisfied: kind != slow"
    assert f"note: {note}" in printed(result)


@pytest.mark.slow
def test_the_default_point_may_be_the_best(tmp_path: Path) -> None:
    result = tuned(tmp_path, "fast")
    assert "; it is the best\n" in printed(result)
    trials = result.trials
    assert choose_finalists(trials, 1, result.default_trial) == [trials[0]]


@pytest.mark.slow
@pytest.mark.parametrize("budget", [0.001, 0.5])
def test_a_budget_that_is_over_at_once_has_the_default_point(
    tmp_path: Path, budget: float
) -> None:
    """However short the time is, the first trial is waited for and is a result."""
    result = tuned(tmp_path, "middle", budget=budget, trials=None)
    assert result.best.point == {"kind": "middle"}
    assert result.trials[0].point == {"kind": "middle"}
    assert any("the budget was over before a trial" in w for w in result.warnings)
