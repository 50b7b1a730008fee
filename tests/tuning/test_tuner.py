"""The tuner end to end: real workers, real compiles, a real results file.

Where no GPU is at hand, programs that compute with torch on the host stand in for
kernels: they are checked, timed, crash and hang in the same worker by the same code.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support.tuning.runs import BODIES, build, delayed, options, subject
from support.tuning.samples import Sample, Watcher
from tilewright.ir.errors import DefiniteFailure
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs, read_samples, read_trials
from tilewright.tuning.results.tuning_result import TuningFailedError
from tilewright.tuning.search import feedback
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of
from tilewright.tuning.tuner import tune


@pytest.mark.slow
def test_every_kind_of_failure_costs_one_trial(tmp_path: Path) -> None:
    kinds = ["refused", "slow", *[k for k in BODIES if k != "slow"]]
    watcher = Watcher()
    library = {"library": delayed(1)}
    with Database(tmp_path / "results.db") as database:
        result = tune(
            subject(kinds, contenders=library), options(tmp_path), database, watcher
        )
        outcomes = {str(t.point["kind"]): t.outcome for t in result.trials}
        assert outcomes == {
            "refused": "invalid",
            "slow": "ok",
            "fast": "ok",
            "same as slow": "ok",
            "wrong": "wrong",
            "dies": "crash",
            "hangs": "timeout",
            "does not compile": "compile_error",
        }
        assert result.measured
        assert result.best.point == {"kind": "fast"}
        assert result.best.record.final is not None
        assert result.exhausted
        assert not result.interrupted
        # One that hangs without using the processor is given a second chance.
        assert result.lost_workers == 3
        assert result.origins() == {"new": 7, "duplicate": 1}
        assert [finalist.name for finalist in result.finalists][1] == "library"
        assert len(result.finalists) == 3
        assert watcher.phases == ["search", "final"]
        assert len(watcher.trials) == len(result.trials) == len(kinds)
        assert [trial.number for trial in result.trials] == list(range(1, 9))

        by_kind = {str(t.point["kind"]): t.record for t in result.trials}
        assert by_kind["refused"].error.endswith("size 48 does not divide 64")
        assert "exited with status 9" in by_kind["dies"].error
        assert "8 of 8 elements differ" in by_kind["wrong"].error
        assert by_kind["slow"].p50 > 3.0
        assert by_kind["slow"].p50 == by_kind["same as slow"].p50
        assert {"emit", "transform", "compile", "check", "warm-up", "time"} <= set(
            by_kind["fast"].seconds
        )
        accounted = result.seconds
        assert accounted["time"] > 0
        assert accounted["final"] > 0
        assert accounted["waiting"] < result.wall_seconds
        assert 0 <= accounted["overhead"] < result.wall_seconds

        # Every repetition is on file, with the run that took it.
        (run,) = read_runs(database)
        assert (run.ending, len(read_trials(database, run))) == ("finished", len(kinds))
        taken = read_samples(database, by_kind["fast"])
        assert [samples.kind for samples in taken] == ["trial", "final"]
        assert len(taken[0].milliseconds) == by_kind["fast"].repetitions
        median = float(np.median(taken[0].milliseconds))
        assert median == pytest.approx(by_kind["fast"].p50, rel=1e-6)

        # All of it is on file; a second run measures nothing and agrees.
        assert len(database.list()) == len(kinds)
        best = database.best("payload", device="host")
        assert best is not None
        assert best.point == {"kind": "fast"}
        quiet = options(tmp_path, finalists=0)
        again = tune(subject(kinds), quiet, database)
        assert again.origins() == {"database": 7, "new": 1}
        assert again.counts() == result.counts()
        assert again.best.point == {"kind": "fast"}
        assert [t.outcome for t in again.trials if t.origin == "new"] == ["timeout"]

        # Another schedule that leads to a known program need not measure it either.
        other = replace(subject(["fast"]), schedule="other")
        elsewhere = tune(other, quiet, database)
        assert elsewhere.origins() == {"database": 1}
        assert database.list()[-1].setting.schedule == "other"


@pytest.mark.slow
def test_interrupt_keeps_what_is_recorded(tmp_path: Path) -> None:
    with Database(tmp_path / "results.db") as database:
        result = tune(
            # Which of several ends first is up to the workers.
            subject(["refused", "fast"]),
            options(tmp_path),
            database,
            Watcher(stop_after=2),
        )
        assert result.interrupted
        assert len(result.trials) == 2
        assert result.best.point == {"kind": "fast"}
        assert {r.outcome for r in database.list()} >= {"invalid", "ok"}
        # The number of trials ends a search too; these two come from the file.
        settings = options(tmp_path, trials=2, finalists=0)
        again = tune(subject(["refused", "fast", "slow"]), settings, database)
        assert again.origins() == {"database": 2}
        assert not again.exhausted
        assert again.finalists == ()
    with pytest.raises(KeyboardInterrupt):
        tune(subject(["refused"]), options(tmp_path), None, Watcher(stop_after=1))


@pytest.mark.slow
def test_nothing_works(tmp_path: Path) -> None:
    kinds = ["refused", "wrong", "does not compile"]
    with pytest.raises(TuningFailedError) as caught:
        tune(subject(kinds), options(tmp_path))
    text = str(caught.value)
    assert "none of 3 configurations works" in text
    assert "1 x compile_error: RuntimeError: ptxas failed" in text
    assert "1 x wrong: result 'out': 8 of 8 elements differ" in text
    assert "1 x invalid: error: tile: size 48 does not divide 64" in text


@pytest.mark.slow
def test_a_mistake_at_one_point_is_one_invalid_point(tmp_path: Path) -> None:
    def three_warps(point: Point) -> Sample:
        if point["kind"] == "wrong":
            raise DefiniteFailure("3 warps: no power of two")
        return build(point)

    result = tune(subject(["wrong", "fast"], three_warps), options(tmp_path))
    assert result.counts() == {"ok": 1, "invalid": 1}
    with pytest.raises(TuningFailedError, match="1 x invalid: error: 3 warps"):
        tune(subject(["wrong"], three_warps), options(tmp_path))


@pytest.mark.slow
def test_budget_ends_the_search(tmp_path: Path) -> None:
    def endless(point: Point) -> Sample:
        return Sample(delayed(20 + int(point["n"]) / 1e3))

    base = subject(["fast"])
    space = space_of({"n": list(range(10000))})
    many = TuningTask(endless, space, "payload", "schedule", base.expected)
    # The only run that asks the device for its name.
    settings = options(
        tmp_path, trials=None, budget=8.0, strategy="random", device_name=None
    )
    start = time.perf_counter()
    try:
        result = tune(many, settings)
    except TuningFailedError as error:
        assert "allow more time" in str(error)  # a busy machine started nothing
    else:
        assert result.device == "cpu"
        assert 1 <= len(result.trials) < 500
        assert not result.exhausted
        assert result.trials_per_second > 0
    assert time.perf_counter() - start < 14.0


@pytest.mark.slow
def test_a_build_that_never_ends_costs_one_trial(tmp_path: Path) -> None:
    def sometimes(point: Point) -> Sample:
        if point["kind"] == "slow":
            while True:
                pass
        if point["kind"] == "wrong":
            assert len(bytearray(16 << 30))
        return build(point)

    with Database(tmp_path / "results.db") as database:
        settings = options(tmp_path, build_limit=2.0, build_memory=1 << 30)
        kinds = ["slow", "wrong", "fast"]
        result = tune(subject(kinds, sometimes), settings, database)
        outcomes = {str(t.point["kind"]): t.record for t in result.trials}
        assert outcomes["fast"].outcome == "ok"
        assert outcomes["slow"].outcome == "timeout"
        assert outcomes["slow"].error == "building it: not done after 2 s"
        assert outcomes["wrong"].outcome == "crash"
        assert "more memory than allowed" in outcomes["wrong"].error


@pytest.mark.slow
def test_what_happened_to_a_candidate_is_no_verdict(tmp_path: Path) -> None:
    """A worker killed from outside, once, twice; the next run tries again."""
    deaths = tmp_path / "deaths"
    deaths.write_text("")

    def unlucky(point: Point) -> Sample:
        if point["kind"] == "slow" and len(deaths.read_text()) < 3:
            deaths.write_text(deaths.read_text() + "x")
            os.kill(os.getpid(), signal.SIGTERM)
        return build(point)

    kinds = ["slow", "fast"]
    settings = options(tmp_path, finalists=0)
    with Database(tmp_path / "results.db") as database:
        first = tune(subject(kinds, unlucky), settings, database)
        assert len(deaths.read_text()) == 2
        (lost,) = [trial.record for trial in first.trials if trial.outcome != "ok"]
        assert (lost.outcome, lost.cause) == ("crash", "environment")
        assert "killed by SIGTERM" in lost.error
        # It dies a third time, and is tried once more within the run.
        second = tune(subject(kinds, unlucky), settings, database)
        assert len(deaths.read_text()) == 3
        assert second.counts() == {"ok": 2}
        assert {r.outcome for r in database.list()} == {"ok"}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A machine with much else to do takes longer to start the workers.
    monkeypatch.setattr(feedback, "_PATIENCE", 300.0)

    def points(seed: int) -> list[Point]:
        space = space_of({"kind": ["fast"], "n": list(range(40))})
        base = subject(["fast"], lambda point: Sample(delayed(int(point["n"]) / 1e3)))
        settings = options(
            tmp_path, device=None, strategy="tpe", seed=seed, trials=24, workers=2
        )
        found = tune(replace(base, space=space, expected=()), settings)
        return [trial.point for trial in found.trials]

    assert points(1) == points(1) != points(2)
