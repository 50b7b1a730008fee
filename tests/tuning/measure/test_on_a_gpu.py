"""Measuring on a real device; skipped where there is none."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

import tilewright
from support.paths import EXAMPLES
from support.tuning.samples import drain, elementwise, key_of, matmul
from tilewright.codegen.program import GeneratedProgram, Shapes
from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.targets import Target, detect
from tilewright.commands.inputs.tune_sizes import tune_cases
from tilewright.numeric_check import make_case
from tilewright.pipeline import Built, build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import space_of
from tilewright.tuning.tuner import tune
from tilewright.tuning.workers.jobs import CompileJob, MeasureJob
from tilewright.tuning.workers.worker_pool import ProcessPool

pytestmark = pytest.mark.gpu

EXAMPLE = EXAMPLES / "any_rows"
POINT = {"BM": 64, "BN": 64, "BK": 64, "warps": 4, "stages": 3, "group": 8}


@pytest.fixture(scope="module")
def target() -> Target:
    found = detect()
    if found is None:
        pytest.skip("no CUDA device")
    return found


@dataclass(frozen=True)
class Sample:
    program: GeneratedProgram
    seconds: dict[str, float] = field(default_factory=dict)


def reference(program: GeneratedProgram, folder: Path) -> Reference:
    (a,) = random_inputs(program.arguments, seed=1)
    np.save(folder / "result.npy", a + 1)
    files = (folder / "result.npy",)
    return Reference(program.arguments, program.results, 1, files, 1)


def test_real_launch_finds_what_was_compiled_ahead(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "triton"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(cache))
    program = matmul(512)
    a, b = random_inputs(program.arguments, 2)
    np.save(tmp_path / "c.npy", a.astype(np.float32) @ b.astype(np.float32))
    expected = Reference(
        program.arguments, program.results, 2, (tmp_path / "c.npy",), 512
    )
    with ProcessPool(1, "compile", limit=120.0) as pool:
        ticket = pool.submit(CompileJob(program, target, tmp_path))
        assert drain(pool)[ticket].ending == "ok"
    kernels = set(cache.glob("*/matmul.cubin"))
    assert len(kernels) == 1
    with ProcessPool(1, "measure", limit=120.0) as pool:
        source = source_file(program, tmp_path)
        job = MeasureJob(source, "launch", (expected,), TimingOptions())
        ticket = pool.submit(job)
        done = drain(pool)[ticket]
        assert done.ending == "ok", done.error
    assert done.value.comparison.ok, done.value.comparison.message
    assert set(cache.glob("*/matmul.cubin")) == kernels


def test_illegal_access_costs_one_job(target: Target, tmp_path: Path) -> None:
    good = elementwise(n=1 << 20)
    wild = good.text.replace(
        "tl.store(target + offsets,", "tl.store(target + offsets + (1 << 40),"
    )
    bad = replace(good, text=wild, key=key_of(wild))
    silent = good.text.replace("mask=inside)\n", "mask=offsets < n - 1)\n")
    unwritten = replace(good, text=silent, key=key_of(silent))
    expected = reference(good, tmp_path)

    def job(program: GeneratedProgram) -> MeasureJob:
        return MeasureJob(
            source_file(program, tmp_path), "launch", (expected,), TimingOptions()
        )

    with ProcessPool(1, "measure", limit=120.0) as pool:
        tickets = [pool.submit(job(p)) for p in (good, bad, unwritten, good)]
        done = drain(pool, 300.0)
        assert pool.lost_workers == 1
    first, illegal, missing, last = (done[ticket] for ticket in tickets)
    assert first.ending == last.ending == "ok", (first.error, last.error)
    assert illegal.ending in ("error", "crash")
    assert missing.value.timing is None
    assert "1 of 1048576 elements differ" in missing.value.comparison.message
    timing = last.value.timing
    # 8 MB at no more than the card's bandwidth, and not timed as its launch.
    floor = 8 * 2**20 / (target.l2_bandwidth) * 1e3
    assert floor < timing.p50 < 0.1
    assert timing.p20 <= timing.p50 <= timing.p80


def test_tuning_a_matmul(target: Target, tmp_path: Path) -> None:
    def build(point: Point) -> Sample:
        return Sample(matmul(1024, int(point["BM"]), int(point["BN"])))

    arguments = matmul(1024).arguments
    a, b = random_inputs(arguments, 3)
    expected = a.astype(np.float32) @ b.astype(np.float32)
    subject = TuningTask(
        build,
        space_of({"BM": [64, 128], "BN": [64, 128]}),
        "payload",
        "schedule",
        (ExpectedResults([expected], 3, 1024),),
    )
    options = TuneOptions(
        target, tmp_path, strategy="grid", workers=min(4, os.cpu_count() or 1)
    )
    with Database(tmp_path / "results.db") as database:
        result = tune(subject, options, database)
        assert result.counts() == {"ok": 4}
        assert result.measured
        assert len(result.finalists) == 4
        best = result.finalists[0].final
        assert best.low <= best.median <= best.high
        assert 2 * 1024**3 / best.median / 1e9 > 20
        again = tune(subject, replace(options, finalists=0), database)
        assert again.origins() == {"database": 4}


def test_one_program_at_several_sizes(target: Target, tmp_path: Path) -> None:
    """Checked at whole, odd and single rows, timed at two numbers of them."""
    payload = read_payload(EXAMPLE / "payload.mlir")
    schedule = Schedule.from_path(EXAMPLE / "linear.tw").with_point(POINT)
    space = read_space(schedule.module)
    sizes = ("M=16,4096",)
    asked = tune_cases(payload, schedule, space, sizes, 0)
    asked += [replace(asked[0], case=make_case(payload, 0, rows(1)), timed=False)]

    def build_point(chosen: Point) -> Built:
        shapes = [one.shapes for one in asked if one.timed and one.shapes]
        return build(payload, schedule, chosen, shapes=shapes)

    subject = TuningTask(
        build_point,
        space,
        "payload",
        "schedule",
        tuple(one.expected_results() for one in asked),
        sizes="M=16; M=4096",
    )
    options = TuneOptions(target, tmp_path / "sources", strategy="grid", trials=2)
    with Database(tmp_path / "results.db") as database:
        result = tune(subject, options, database)
    assert result.counts() == {"ok": 2}, [t.record.error for t in result.trials]
    for trial in result.trials:
        small, large = trial.record.each
        assert 0 < small < large
    assert result.best.record.final is not None


def rows(count: int) -> Shapes:
    return ((count, 1024), (1024, 512), (512,))


@pytest.mark.parametrize("loads", ["pointers", "descriptors"])
def test_calls_of_any_number_of_rows(target: Target, loads: str) -> None:
    """One program: multiples of 16 and others, 1, and 0, which launches nothing."""
    import torch

    program = tilewright.compile(
        EXAMPLE / "payload.mlir",
        EXAMPLE / "linear.tw",
        **{**POINT, "loads": loads},  # type: ignore[arg-type]
    )
    w = torch.randn(1024, 512, device="cuda").half() / 32
    bias = torch.randn(512, device="cuda").half()
    for count in (4096, 1000, 1, 0, 7, 16, 0, 1024):
        x = torch.randn(count, 1024, device="cuda").half()
        got = program(x, w, bias)
        want = torch.relu(x.double() @ w.double() + bias.double())
        assert got.shape == (count, 512)
        assert torch.allclose(got.double(), want, rtol=4e-3, atol=4e-3), count
