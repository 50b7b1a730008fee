"""`tilewright.tune`, `check`, `space` and `search`: the commands as functions."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest

import tilewright
from support.structure_works import two_layers
from tilewright.api.trial_table import TrialTable
from tilewright.api.tune_result import TuneResult
from tilewright.payloads import Payload, linear
from tilewright.tuning.results.tuning_result import Trial

TW = """schedule s(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = knob [16, 32, 64] default 64
  unused = knob [1, 2] default 1
  require BM * unused <= 64
  tail, grid = tile tail by [BM, 64] onto [block.y, block.x]
  mm, grid = fuse mm into grid
  fill, grid = fuse fill into grid
}
"""


def layer() -> Payload:
    made = Payload("layer")
    x = made.input("x", (64, 64), "f16")
    w = made.input("w", (64, 64), "f16")
    made.output(linear(x, w, activation="relu"))
    return made


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> TuneResult:
    """One run for all tests: it takes some seconds."""
    seen: list[Trial] = []
    folder = tmp_path_factory.mktemp("tuned")
    found = tilewright.tune(
        layer(),
        TW,
        budget=None,
        trials=5,
        db=folder / "r.db",
        strategy="grid",
        progress=False,
        target="h200",
        callbacks=[seen.append],
    )
    assert [one.number for one in seen] and len(seen) == len(found.trials) == 5
    return found


@pytest.mark.slow
def test_the_winner_is_a_program_a_point_and_a_schedule(tuned: TuneResult) -> None:
    best = tuned.best
    assert best.point == tuned.trials.ranking()[0].point
    assert best.milliseconds == tuned.trials.ranking()[0].milliseconds
    assert tilewright.space(best.schedule).choices == {}
    assert best.program is best.program and "tl.dot" in best.program.source
    assert tilewright.compile(layer(), best.schedule).source == best.program.source


def test_without_a_gpu_the_result_says_so(tuned: TuneResult) -> None:
    assert not tuned.measured and tuned.device == "h200 (cost model)"
    assert any("ranked by the cost model" in note for note in tuned.notes)
    assert any("correct in Triton's interpreter" in note for note in tuned.notes)
    assert any("'unused' changes nothing" in note for note in tuned.notes)
    assert "(estimated)" in repr(tuned) and "ms (estimated)" in tuned._repr_html_()


def test_the_trials_are_a_table(
    tuned: TuneResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = tuned.trials
    assert isinstance(trials, TrialTable) and trials[0].number == 1
    assert trials.choices == ["BM", "unused"]
    row = trials.rows()[0]
    assert row["trial"] == 1 and row["outcome"] == "ok" and row["BM"] in (16, 32, 64)
    assert "<table>" in trials._repr_html_() and repr(trials) == "<5 trials, 5 ok>"
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(tilewright.UserError, match="needs pandas"):
        trials.to_pandas()
    made: list[Any] = []
    frame = types.SimpleNamespace(DataFrame=made.append)
    monkeypatch.setitem(__import__("sys").modules, "pandas", frame)
    trials.to_pandas()
    assert made == [trials.rows()]


def test_it_explains_and_draws(tuned: TuneResult, tmp_path: Path) -> None:
    text = tuned.explain()
    assert "which choice earned what" in text and "Nothing ran on a GPU" in text
    assert tuned.plot("parallel")._repr_svg_().startswith("<?xml")
    tuned.plot().save(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 1000
    with pytest.raises(tilewright.UserError, match="there is no plot 'pie'"):
        tuned.plot("pie")
    with pytest.raises(tilewright.UserError, match=r"the format '.gif' is not known"):
        tuned.plot().save(tmp_path / "plot.gif")


@pytest.mark.slow
def test_a_callback_ends_the_search(tmp_path: Path) -> None:
    found = tilewright.tune(
        layer(),
        TW,
        trials=5,
        budget=None,
        jobs=1,
        db=tmp_path / "r.db",
        progress=False,
        target="h200",
        callbacks=[lambda trial: False],
    )
    assert found.interrupted and 1 <= len(found.trials) < 5


@pytest.mark.parametrize(
    ("changes", "fact"),
    [
        ({"budget": "soon"}, "^error: budget soon: not a time"),
        ({"budget": -3}, "a budget of -3 seconds"),
        ({"strategy": "gided"}, "^error: strategy gided: no such strategy"),
        ({"target": "h300"}, "h300"),
        ({"sizes": {"M": 4}}, "all sizes of this payload are known"),
        ({"point": {"BX": 3}}, "BX"),
        ({"trials": 0}, "at least one is needed"),
    ],
)
def test_mistakes_are_user_errors(
    changes: dict[str, Any], fact: str, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"db": tmp_path / "r.db", "progress": False, "jobs": 1}
    with pytest.raises(tilewright.UserError, match=fact):
        tilewright.tune(layer(), TW, **{**given, **changes})


def test_check_takes_a_payload_and_a_schedule_or_one_of_them(tmp_path: Path) -> None:
    assert tilewright.check(TW).ok and tilewright.check(TW).examination is None
    assert "at 3 of 3 points tried" in tilewright.check(layer(), TW).summary
    path = tmp_path / "s.tw"
    path.write_text(TW)
    assert tilewright.check(path).valid_points == 5
    wrong = tilewright.check(TW.replace("match ", "mtch ", 1))
    assert not wrong.ok and "mtch" in str(wrong)
    missing = tilewright.check(layer(), TW.replace("linalg.generic", "linalg.exp"))
    assert "has no 'linalg.exp'" in str(missing)
    assert tilewright.check(layer()).examination  # under a planned schedule
    with pytest.raises(tilewright.UserError, match="two schedules"):
        tilewright.space(TW, TW)


def test_space_is_a_space() -> None:
    space = tilewright.space(layer(), TW)
    assert space.count_valid() == 5 and list(space.choices) == ["BM", "unused"]
    assert "5 valid points of 6" in space._repr_html_()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("strategy", ["guided", "evolution", "random", "tpe", "grid"])
def test_a_loop_of_ones_own(strategy: str) -> None:
    search = tilewright.search(layer(), TW, strategy=strategy, seed=3, target="h200")
    assert not search.trials and not search.exhausted
    first = search.ask(1)
    assert first == [{"BM": 64, "unused": 1}]  # the default point
    search.tell(first[0], None)
    while points := search.ask(2):
        for point in points:
            search.tell(point, search.estimate(point))
    assert search.exhausted and len(search.trials) == 5
    best, time = search.best or ({}, 0.0)
    assert time == search.estimate(best) and best != first[0]
    assert "tl.dot" in search.compile(best).source
    with pytest.raises(tilewright.UserError, match="no point of the schedule"):
        search.tell({"BM": 64, "unused": 2}, 1.0)
    with pytest.raises(tilewright.UserError, match="a time of -1"):
        search.tell(best, -1)


def test_points_that_were_told_without_being_asked_for() -> None:
    search = tilewright.search(layer(), TW, strategy="random", target="h200")
    told = {"BM": 64, "unused": 1}
    search.tell(told, 2.0)
    search.tell(told, 1.0)
    assert repr(search) == "<search: 1 of 5 points told, best 1 ms>"
    while points := search.ask(2):
        assert told not in points
        for point in points:
            search.tell(point, None)
    assert search.exhausted and search.best == (told, 1.0)


@pytest.mark.slow
def test_the_structure_is_searched(tmp_path: Path) -> None:
    payload = two_layers()
    assert [len(r.covers) for r in tilewright.plan(payload, structure=True).regions]
    tuned = tilewright.tune(
        payload,
        budget=None,
        trials=6,
        structure=True,
        margin=1.3,
        target="h200",
        jobs=1,
        db=tmp_path / "results.db",
        progress=False,
    )
    (structure,) = tuned.structures
    assert [one.cover.label for one in structure.covers] == ["planned", "product_apart"]
    assert structure.planned.whole_ms is not None
    assert tuned.best.point["structure"] == structure.picked
