"""The guide of a run: points are built in the workers, once, beside the trials."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from support.tuning.samples import matmul
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import SilenceableFailure
from tilewright.tuning.learning.features import ESTIMATE
from tilewright.tuning.options import TuneOptions, TuningTask
from tilewright.tuning.results.records import Setting, Versions
from tilewright.tuning.run_guide import RunGuide
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of
from tilewright.tuning.stages.build_jobs import set_task
from tilewright.tuning.stages.candidate_stages import CandidateStages, Pools
from tilewright.tuning.time_budget import TimeBudget
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool

H200 = target_named("h200")


@dataclass(frozen=True)
class Sample:
    program: GeneratedProgram
    seconds: Mapping[str, float] = field(default_factory=lambda: {"emit": 0.0})


@pytest.fixture
def stages(tmp_path: Path) -> Iterator[CandidateStages]:
    """The stages of a run whose build function writes a line to a file.

    The point of 128 rows and 2 stages takes it a second.
    """
    log = tmp_path / "built.txt"

    def build(point: Point) -> Sample:
        with log.open("a") as file:
            file.write(f"{point}\n")
        if point["BM"] == 48:
            raise SilenceableFailure("tile: size 48 does not divide 512")
        if point == {"BM": 128, "stages": 2}:
            time.sleep(1.0)
        stages = int(point["stages"])
        return Sample(matmul(bm=int(point["BM"]), bn=256, bk=64, stages=stages))

    space = space_of({"BM": [48, 64, 128, 256], "stages": [2, 8]})
    task = TuningTask(build, space, "payload", "schedule")
    options = TuneOptions(H200, tmp_path, device=None, workers=1)
    setting = Setting("payload", "schedule", "h200", Versions("", "", ""))
    fork = partial(set_task, task, H200)
    with (
        ProcessPool(2, "", limit=30.0, fork=fork) as building,
        ProcessPool(1, "compile", limit=30.0) as compiling,
        ProcessPool(1, "measure", limit=30.0) as measuring,
    ):
        pools = Pools(building, compiling, measuring)
        yield CandidateStages(task, options, setting, None, pools, tmp_path)


def test_points_are_described_once_and_estimated(
    stages: CandidateStages, tmp_path: Path
) -> None:
    guide = RunGuide(stages, TimeBudget(TuneOptions(H200, tmp_path)))
    refused = {"BM": 48, "stages": 2}
    fine = {"BM": 64, "stages": 2}
    too_large = {"BM": 128, "stages": 8}
    found = guide.describe([fine, refused, too_large, fine])
    assert found[0] is not None
    assert found[0]["dot.m"] == 6
    assert found[1:] == [None, None, found[0]]
    assert guide.estimate([refused, fine]) == [math.inf, found[0][ESTIMATE]]
    # Trials of described points are not built again.
    assert [t.outcome for t in stages.put(1, refused)] == ["invalid"]
    assert [t.outcome for t in stages.put(2, too_large)] == ["pruned"]
    assert len((tmp_path / "built.txt").read_text().splitlines()) == 3


def test_a_trial_that_ends_while_points_are_described_is_not_lost(
    stages: CandidateStages, tmp_path: Path
) -> None:
    guide = RunGuide(stages, TimeBudget(TuneOptions(H200, tmp_path)))
    assert stages.put(1, {"BM": 48, "stages": 2}) == []
    described = guide.describe([{"BM": m, "stages": 2} for m in (48, 64, 128)])
    assert [one is None for one in described] == [True, False, False]
    assert stages.outstanding == 1
    assert [t.outcome for t in stages.collect(5.0)] == ["invalid"]
    assert stages.outstanding == 0


@pytest.mark.slow
def test_the_guide_of_a_timed_run_does_not_let_compilers_wait(
    stages: CandidateStages, tmp_path: Path
) -> None:
    stages.pools.compiling.start()
    while not stages.pools.compiling.wants_jobs:
        stages.collect(0.01)
    limited = TimeBudget(TuneOptions(H200, tmp_path, budget=60.0))
    guide = RunGuide(stages, limited)
    points: list[Point] = [{"BM": 128, "stages": 2}, {"BM": 48, "stages": 2}]
    assert guide.estimate(points)[0] is None
    # The workers build them nevertheless.
    until = time.monotonic() + 20.0
    while None in (found := guide.estimate(points)) and time.monotonic() < until:
        stages.collect(0.05)
    assert found[0] is not None and 0 < found[0] < math.inf
    assert found[1] == math.inf
    assert len((tmp_path / "built.txt").read_text().splitlines()) == 2


@dataclass(frozen=True)
class Named:
    name: str

    def run(self) -> str:
        time.sleep(0.05)
        return self.name


def test_previews_wait_until_no_trial_does() -> None:
    with ProcessPool(1, "", limit=30.0, fork=lambda: None) as pool:
        for number in range(5):
            pool.submit(Named(f"preview {number}"), later=True)
        dropped = pool.submit(Named("dropped"), later=True)
        pool.submit(Named("trial 1"))
        pool.submit(Named("trial 2"))
        pool.forget(dropped)
        assert pool.pending == 7
        ended: list[str] = []
        while pool.pending:
            ended += [done.value for done in wait([pool], 5.0)]
    # The worker had two previews before the trials came.
    assert ended[2:4] == ["trial 1", "trial 2"] and len(ended) == 7
