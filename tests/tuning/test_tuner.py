"""The tuner end to end: real workers, real compiles, a real results file.

Where no GPU is at hand, programs that compute with torch on the host stand in for
kernels: they are checked, timed, crash and hang in the same worker by the same code.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support.tuning.samples import Sample, Watcher, broken, matmul
from tilewright.codegen.program import DYNAMIC, GeneratedProgram, TensorSpec
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.ir.tolerance import Comparison
from tilewright.tuning.final_round import median_interval
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs, read_samples, read_trials
from tilewright.tuning.results.tuning_result import TuningFailedError
from tilewright.tuning.search import feedback
from tilewright.tuning.space.choices import Constraint, Knob, Point, Value
from tilewright.tuning.space.space import Space, space_of
from tilewright.tuning.stages import candidate_stages, leaders
from tilewright.tuning.transfer.known_points import known_points
from tilewright.tuning.tuner import tune

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)
H200 = target_named("h200")


def delayed(ms: float) -> GeneratedProgram:
    return broken(f"    time.sleep({ms / 1e3})\n    return a + 1")


# On the meta device the launcher is being compiled, on the cpu it is being measured.
BODIES = {
    "fast": delayed(0.2),
    "slow": delayed(3),
    "same as slow": delayed(3),
    "wrong": broken("    return a + 2"),
    "dies": broken("    if a.device.type == 'cpu': os._exit(9)\n    return a + 1"),
    "hangs": broken("    if a.device.type == 'cpu': time.sleep(60)\n    return a + 1"),
    "does not compile": broken("    raise RuntimeError('ptxas failed')"),
}


def build(point: Point) -> Sample:
    kind = str(point["kind"])
    if kind == "refused":
        raise SilenceableFailure("tile: size 48 does not divide 64")
    return Sample(BODIES[kind])


def subject(
    kinds: list[str], builder: Callable[[Point], Sample] = build, **more: object
) -> TuningTask:
    arguments = BODIES["fast"].arguments
    expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)
    space = space_of({"kind": kinds})
    return TuningTask(builder, space, "payload", "schedule", (expected,), **more)  # type: ignore[arg-type]


def options(folder: Path, **changes: object) -> TuneOptions:
    settings: dict[str, object] = {
        "target": H200,
        "cache_dir": folder / "sources",
        "device": "cpu",
        "device_name": "host",
        "strategy": "grid",
        "workers": 1,
        "measure_limit": 4.0,
        "timing": QUICK,
        "final_rounds": 3,
    }
    return TuneOptions(**{**settings, **changes})  # type: ignore[arg-type]


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


def product(values: Sequence[Value]) -> int:
    return int(values[0]) * int(values[1])


MATMUL = Space(
    (
        Knob("BM", (64, 128), default=128),
        Knob("BN", (64, 256), default=256),
        Knob("W", (4, 8), default=4),
        Knob("S", (3, 9), default=3),
        # Two spilling points and two oversized pipelines are left in on purpose.
        Constraint(
            ("BM", "W"), "BM * W >= 512", lambda v: int(v[0]) * int(v[1]) >= 512
        ),
        Constraint(("W", "S"), "W * S <= 40", lambda v: int(v[0]) * int(v[1]) <= 40),
    )
)


def build_matmul(point: Point) -> Sample:
    bm, bn, warps, stages = (int(point[name]) for name in ("BM", "BN", "W", "S"))
    return Sample(matmul(4096, bm, bn, 64, warps, stages))


@pytest.mark.slow
def test_without_a_gpu_the_cost_model_ranks(tmp_path: Path) -> None:
    def check(sample: Sample) -> Comparison:
        # In another process: what it does is seen in a file.
        (tmp_path / sample.program.key).touch()
        return Comparison(True, 0.0, 0.0, "equal")

    estimated = TuningTask(build_matmul, MATMUL, "payload", "schedule", check=check)
    with Database(tmp_path / "results.db") as database:
        settings = options(tmp_path, device=None, strategy="tpe", workers=2)
        result = tune(estimated, settings, database)
        assert not result.measured
        assert result.device == "h200 (cost model)"
        assert len(result.trials) == MATMUL.count_valid() == 8
        assert result.best.point == {"BM": 128, "BN": 256, "W": 8, "S": 3}
        assert result.finalists == ()
        by_point = {tuple(trial.point.values()): trial for trial in result.trials}
        spilling = by_point[128, 256, 4, 3]
        assert spilling.outcome == "pruned"
        assert "spills" in spilling.record.error
        assert result.default_trial is spilling is result.trials[0]
        oversized = by_point[128, 256, 4, 9]
        assert oversized.outcome == "pruned"
        assert "at least 442368 bytes of shared memory" in oversized.record.error
        assert oversized.record.stats == ()
        (stats,) = result.best.record.stats
        assert stats.wgmma > 0
        assert result.best.estimate == result.best.milliseconds
        checked = [path for path in tmp_path.iterdir() if len(path.name) == 64]
        assert len(checked) == result.counts()["ok"]
        # Estimates never pass for measurements.
        assert database.best("payload") is None
        assert database.best("payload", measured=False) is not None


@pytest.mark.slow
def test_wrong_numbers_without_a_gpu(tmp_path: Path) -> None:
    def check(sample: Sample) -> Comparison:
        return Comparison(False, 1.0, 1.0, "3 of 9 elements differ")

    wrong = TuningTask(build, space_of({"kind": ["fast"]}), "p", "s", check=check)
    with pytest.raises(TuningFailedError, match="1 x wrong: 3 of 9 elements differ"):
        tune(wrong, options(tmp_path, device=None))


def test_measuring_needs_expected_results(tmp_path: Path) -> None:
    blind = TuningTask(build, space_of({"kind": ["fast"]}), "p", "s")
    with pytest.raises(ValueError, match="needs expected results"):
        tune(blind, options(tmp_path))


def test_median_interval() -> None:
    rng = np.random.default_rng(0)
    hits = 0
    for seed in range(50):
        final = median_interval(list(rng.normal(10.0, 1.0, 41)), seed)
        assert final.low <= final.median <= final.high
        hits += final.low <= 10.0 <= final.high
    assert hits >= 42
    assert median_interval([2.0] * 9).high == 2.0


# Sizes that are known only when a program runs.


def for_any_size(body: str) -> GeneratedProgram:
    program = broken(body)
    return replace(
        program,
        arguments=(TensorSpec("a", (DYNAMIC,), "f32", extents=("N",)),),
        results=(TensorSpec("out", (DYNAMIC,), "f32", extents=("N",)),),
    )


# 8 and 64 elements are timed; of the rest, 3 is refused by one of them.
AT_SIZES = {
    "even": for_any_size("    time.sleep(0.003)\n    return a + 1"),
    "fast when small": for_any_size(
        "    time.sleep(0.0005 if a.numel() == 8 else 0.006)\n    return a + 1"
    ),
    "wrong when odd": for_any_size("    return a + (2 if a.numel() == 3 else 1)"),
    "refuses odd": for_any_size(
        "    if a.numel() == 3: raise ValueError('odd')\n"
        "    time.sleep(0.004)\n    return a + 1"
    ),
}


def sized_subject(kinds: Sequence[str]) -> TuningTask:
    def accepts(built: Sample, expected: ExpectedResults) -> bool:
        return built.program is not AT_SIZES["refuses odd"] or expected.timed

    expected: list[ExpectedResults] = []
    for size, timed in ((8, True), (64, True), (3, False)):
        (given,) = random_inputs([TensorSpec("a", (size,), "f32")], 7)
        shapes = ((size,),)
        expected.append(
            ExpectedResults(
                [given + 1], 7, shapes=shapes, timed=timed, title=f"N={size}"
            )
        )
    return TuningTask(
        lambda point: Sample(AT_SIZES[str(point["kind"])]),
        space_of({"kind": list(kinds)}),
        "payload",
        "schedule",
        expected,
        sizes="N=8; N=64",
        accepts=accepts,  # type: ignore[arg-type]
    )


@pytest.mark.slow
def test_one_program_at_several_sizes(tmp_path: Path) -> None:
    with Database(tmp_path / "results.db") as database:
        result = tune(sized_subject(list(AT_SIZES)), options(tmp_path), database)
        records = {str(trial.point["kind"]): trial.record for trial in result.trials}
        assert {kind: entry.outcome for kind, entry in records.items()} == {
            "even": "ok",
            "fast when small": "ok",
            "wrong when odd": "wrong",
            "refuses odd": "ok",
        }
        assert records["wrong when odd"].error.startswith("at N=3: ")
        small, large = records["fast when small"].each
        assert small < 3.0 < large
        for entry in (records["even"], records["fast when small"]):
            assert entry.p50 == pytest.approx((entry.each[0] * entry.each[1]) ** 0.5)
        # 0.5 and 6 ms are less than 3 and 3 by their geometric mean alone.
        assert result.best.point == {"kind": "fast when small"}
        assert result.best.record.final is not None
        assert result.best.record.final.median < 3.0
        # Other sizes are other measurements of the same programs.
        again = replace(sized_subject(["even"]), sizes="N=9")
        assert tune(again, options(tmp_path), database).origins() == {"new": 1}
        same = sized_subject(["even"])
        assert tune(same, options(tmp_path), database).origins() == {"database": 1}


@pytest.mark.slow
def test_each_size_is_tuned_for_itself(tmp_path: Path) -> None:
    task = replace(
        sized_subject(["even", "fast when small", "refuses odd"]),
        family="f",
        extents=((8,), (64,)),
    )
    settings = options(tmp_path, per_size=True, strategy="random")
    with Database(tmp_path / "results.db") as database:
        result = tune(task, settings, database)
        each = {
            str(one.point["kind"]): one.each for one in result.finalists if one.point
        }
        # The medians of the final round are those of the records.
        stored = {str(r.point["kind"]): r.each for r in database.list(outcome="ok")}
        best = {one.sizes: one.point for one in known_points(database, "f")}
    assert each == stored
    small, large = each["fast when small"]
    assert small < 2.0 < 5.0 < large
    assert best[8,] == {"kind": "fast when small"}
    assert best[64,] == {"kind": "even"}


@pytest.mark.slow
def test_leaders_are_timed_again_while_compilers_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A host is no card, so that others may use it; here nobody does.
    monkeypatch.setattr(candidate_stages, "has_leaders", lambda options, pool: True)
    monkeypatch.setattr(leaders, "_NEAR", 3.0)  # a busy machine is no exact clock

    def slow_to_compile(point: Point) -> Sample:
        pause = 0.4 if int(point["n"]) > 1 else 0.0
        return Sample(
            broken(
                f"    time.sleep({pause} if a.device.type == 'meta' else 0.002)\n"
                f"    return a + 1  # {point['n']}"
            )
        )

    space = space_of({"n": list(range(5))})
    task = TuningTask(
        slow_to_compile, space, "payload", "schedule", subject(["fast"]).expected
    )
    result = tune(task, options(tmp_path))
    assert result.counts() == {"ok": 5}
    assert result.device_use["timing again"] > 0
    assert result.timing_share > result.device_use["timing"] / result.wall_seconds
    assert len(result.finalists) == 5
