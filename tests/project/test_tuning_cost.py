"""The study of tuning cost: its configurations, its simulation, its tables."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from support.paths import BENCHMARKS

sys.path += [str(BENCHMARKS), str(BENCHMARKS / "tuning_cost")]

import compiling
import simulate
import simulation
import study
import study_tables
import tutorial_gemm
from simulation import Setting

from support.tuning.recorded_cost import CLEARS, LARGE, document, microseconds, write
from tilewright.tuning.replay.study.recording import StudyRecording
from tilewright.tuning.replay.tuning_cost import TuningCost


def test_the_configurations_are_drawn_without_a_filter() -> None:
    assert len(set(study.space())) == 576 and len(set(study.full_space())) == 576
    chosen = study.drawn()
    assert len(set(chosen)) == 100 and set(chosen) < set(study.space())
    assert chosen == study.drawn()
    # Two stages of the largest tiles do not fit in shared memory; nothing leaves them.
    assert any(one.BLOCK_M == one.BLOCK_N == one.BLOCK_K == 256 for one in chosen)
    assert len(set(study.inputs())) == 64
    assert study.inputs()[0] == study.FRONTIER_INPUT
    assert study.FULL_INPUT in study.inputs()


def test_every_configuration_binds_to_the_kernel() -> None:
    m, n, k = study.FRONTIER_INPUT
    shapes = ((m, k), (k, n), (m, n))
    tensors = tuple(torch.empty(s, dtype=torch.float16, device="meta") for s in shapes)
    for choice in study.drawn():
        bound = tutorial_gemm.launch(tensors, choice)
        assert bound.options == {**choice.values, "GROUP_M": 8}
        assert bound.grid[0] == (m // choice.BLOCK_M) * (n // choice.BLOCK_N)
        assert bound.arguments[3:] == (m, n, k, k, 1, n, 1, n, 1)


def test_a_compilation_ends_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = study.drawn(1)[0]
    done = compiling.Compilation(0.5, registers=40)
    monkeypatch.setattr(compiling, "_compile", lambda choice: done)
    assert compiling._compile_within(choice, 60.0) == done
    monkeypatch.setattr(compiling, "_compile", lambda choice: os._exit(3))
    assert compiling._compile_within(choice, 60.0).failure == "the compiler crashed"
    monkeypatch.setattr(compiling, "_compile", lambda choice: time.sleep(60.0))
    found = compiling._compile_within(choice, 0.1)
    assert found.failure == "not compiled within 0.1 s" and found.seconds < 30.0


@pytest.mark.slow
def test_a_dry_recording_is_read_by_the_study(tmp_path: Path) -> None:
    """Compiles, checks in the interpreter, times by the host's clock, and writes."""
    path = tmp_path / "dry.jsonl.xz"
    script = BENCHMARKS / "tuning_cost" / "record.py"
    words = ["--dry", "--count", "2", "--full", "2", "--processes", "1"]
    limits = ["--seconds", "400", "--compile-limit", "60", "--out", str(path)]
    subprocess.run([sys.executable, script, *words, *limits], check=True, timeout=500)
    recording = StudyRecording.load(path)
    assert recording.is_dry and recording.is_ended and len(recording.drawn) == 2
    assert set(recording.study) == {(32, 64, 32), (64, 32, 64)}
    assert recording.full_space is not None and len(recording.full_space.found) == 2
    assert {pool.processes for pool in recording.pools} >= {1}
    assert recording.kernels


@pytest.fixture
def exact(tmp_path: Path) -> simulation.Study:
    """Twelve configurations without noise; one of them fails."""
    path = write(tmp_path / "exact.json.xz", document(factors=(1.0,)))
    return simulation.Study(TuningCost.load(path))


def test_a_run_over_all_configurations_finds_the_best(exact: simulation.Study) -> None:
    found = exact.simulate(LARGE, Setting(11, 10.0), runs=50)
    assert np.all(found.speed == 1.0) and np.all(found.tried == 11)
    # Each: a second to compile, one launch, five with clears, a quarter of 10 ms for
    # warm-up and 10 ms of launches with clears.
    expected = 0.0
    for number in range(11):
        each = 1.5 * microseconds(number, 12)
        both = each + 20.0
        launches = (2500 // both) * each + (10_000 // both) * both
        expected += 1.0 + (each + 5 * both + launches) / 1e6
    assert found.seconds == pytest.approx(np.full(50, expected))


def test_the_speed_of_a_single_random_configuration(exact: simulation.Study) -> None:
    found = exact.simulate(LARGE, Setting(1, 10.0), runs=4000)
    mean = np.mean([100.0 / microseconds(number, 12) for number in range(11)])
    assert found.speed.mean() == pytest.approx(mean, rel=0.02)
    assert np.all(found.speed_of_own == found.speed)


def test_compile_processes_and_early_stopping(exact: simulation.Study) -> None:
    one = exact.simulate(LARGE, Setting(11, 1.0), runs=50)
    four = exact.simulate(LARGE, Setting(11, 1.0, processes=4), runs=50)
    # The pool of four was done 3.2 times sooner than one process.
    assert exact.speedup(4) == pytest.approx(3.2)
    saved = 11 - 11 / 3.2
    assert (one.seconds - four.seconds) == pytest.approx(np.full(50, saved))
    lone = exact.simulate(LARGE, Setting(1, 1.0, processes=4), runs=50)
    assert np.all(lone.seconds > 1.0)
    early = exact.simulate(LARGE, Setting(11, 1.0, patience=2), runs=200)
    assert early.tried.mean() < 8 and early.speed.mean() < 1.0
    short = exact.simulate(LARGE, Setting(11, 100.0, slower=1.05), runs=50)
    assert np.all(short.speed == 1.0)
    assert short.seconds.mean() < exact.simulate(LARGE, Setting(11)).seconds.mean()


def test_noise_costs_speed(tmp_path: Path) -> None:
    noisy = document(factors=(0.7, 0.85, 1.0, 1.15, 1.3))
    found = simulation.Study(TuningCost.load(write(tmp_path / "n.json.xz", noisy)))
    few = found.simulate(LARGE, Setting(11, 0.1))
    many = found.simulate(LARGE, Setting(11, 100.0))
    assert many.speed.mean() == 1.0 and few.speed.mean() < 0.97
    cleared = found.simulate(LARGE, Setting(11, 0.1, clear=CLEARS[0]))
    assert cleared.seconds.mean() < few.seconds.mean()


def test_the_frontier_and_the_tables(exact: simulation.Study) -> None:
    rows = [
        {"seconds": s, "speed": v}
        for s, v in ((3.0, 0.9), (1.0, 0.5), (2.0, 0.4), (2.5, 0.9), (4.0, 0.95))
    ]
    kept = [(row["seconds"], row["speed"]) for row in simulation.frontier(rows)]
    assert kept == [(1.0, 0.5), (2.5, 0.9), (4.0, 0.95)]
    grid = [Setting(count, 1.0) for count in (1, 3, 11)]
    text = study_tables.markdown(simulate.simulated(exact, LARGE, 20, grid))
    assert "| published, A40 | here, a run over 11 | here, a run over 30 |" in text
    assert "| parallel compilation | 7.3x on 16 | 3.2x on 4 |" in text
    assert "11 of 12 configurations on 2 inputs" in text
    assert "| L2 clear (2 inputs) | speed | seconds |" in text


def test_the_tables_replace_a_part_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{study_tables.BEGIN}\nold\n{study_tables.END}\nafter\n")
    study_tables.update(page, "| new |")
    assert page.read_text() == (
        f"before\n{study_tables.BEGIN}\n\n| new |\n\n{study_tables.END}\nafter\n"
    )
    page.write_text("no marks")
    with pytest.raises(SystemExit, match="no part between"):
        study_tables.update(page, "")
