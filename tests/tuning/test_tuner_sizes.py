"""Tuning runs of programs whose sizes are known only when they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.runs import options, subject
from support.tuning.samples import Sample, broken
from tilewright.codegen.program import DYNAMIC, GeneratedProgram, TensorSpec
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.options import ExpectedResults, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of
from tilewright.tuning.stages import candidate_stages, leaders
from tilewright.tuning.transfer.known_points import known_points
from tilewright.tuning.tuner import tune


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
