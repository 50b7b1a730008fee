"""The benchmark of launches, on a driver without a card."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import pytest
import torch

from support.codegen.fake_driver import fake_driver
from support.paths import BENCHMARKS
from tilewright.codegen.runtime import call_arguments, launch
from tilewright.codegen.runtime.launch import LoadedProgram
from tilewright.program import Program

PATH = BENCHMARKS / "launch_overhead.py"


def load() -> ModuleType:
    found = importlib.util.spec_from_file_location("bench_launch_overhead", PATH)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


benchmark = load()


@pytest.fixture
def on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors on a CPU pass for tensors on a card, and results for equal."""
    monkeypatch.setattr(launch, "_CPU", None)
    monkeypatch.setattr(call_arguments, "interpreting", lambda: True)
    monkeypatch.setattr(Program, "_runner", property(lambda self: self.loaded))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    monkeypatch.setattr(torch.testing, "assert_close", lambda *given, **options: None)
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    monkeypatch.setattr(benchmark, "CALLS", 2)

    def graph(self: Program, *tensors: Any) -> Any:
        return lambda *given: self.loaded.launcher_on[-1](*tensors)

    monkeypatch.setattr(Program, "graph", graph)
    real = LoadedProgram.__init__

    def init(self: LoadedProgram, *given: Any) -> None:
        real(self, *given)
        self.current_device = lambda: -1

    monkeypatch.setattr(LoadedProgram, "__init__", init)


@pytest.mark.slow
@pytest.mark.sampled(20)
@pytest.mark.parametrize("case", benchmark.CASES, ids=lambda case: case.name)
def test_every_way_makes_the_same_launches(case: Any, on_a_cpu: None) -> None:
    with fake_driver() as driver:
        measured = benchmark.measure(case, "cpu")
    assert set(measured.ways) >= {benchmark.BARE, benchmark.CHECKED}
    kernels = 1 if case.fused else 2
    starts = {(launch.function, launch.grid) for launch in driver.launches}
    # The file's kernels and the program's are loaded apart.
    assert len(starts) == 2 * kernels
    assert ("descriptors" in measured.parts) == ("descriptors" in case.name)
