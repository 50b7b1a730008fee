"""Tuning runs without a GPU: the cost model ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.tuning.runs import build, options
from support.tuning.samples import Sample, matmul
from tilewright.ir.tolerance import Comparison
from tilewright.tuning.final_round import median_interval
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.tuning_result import TuningFailedError
from tilewright.tuning.space.choices import Constraint, Knob, Point
from tilewright.tuning.space.space import Space, space_of
from tilewright.tuning.tuner import tune

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
