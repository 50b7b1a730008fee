"""Tuning kernel by kernel, end to end: shared workers, rounds, and the whole program.

Programs that sleep stand in for kernels; the tasks are those of a real plan.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from support.tuning.samples import Sample, Watcher, broken
from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, softmax
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan
from tilewright.planning.recorded import signature_of
from tilewright.tuning import time_budget
from tilewright.tuning.measure.device_reference import DeviceReference
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.tasks.kernel_tasks import KernelTask, extract_tasks
from tilewright.tuning.tasks.run_description import TasksResult, WholePayload
from tilewright.tuning.tasks.tune_tasks import tune_tasks
from tilewright.tuning.transfer.planned_kernels import PlannedKernels

H200 = target_named("h200")


def two_kernels() -> Plan:
    """Rows of two lengths, which do not share a kernel."""
    p = Payload("two")
    for name, columns in (("x", 1000), ("y", 3000)):
        p.output(softmax(p.input(name, (4096, columns), "f32")))
    return plan(parse_payload(p.text()), H200)


def one_payload() -> str:
    p = Payload("one")
    p.output(softmax(p.input("y", (4096, 3000), "f32")))
    return p.text()


def one_kernel() -> Plan:
    """The longer rows alone."""
    return plan(parse_payload(one_payload()), H200)


def sleeping(ms: float, result: str = "a + 1") -> Sample:
    # On the meta device the launcher is being compiled.
    body = f"    if a.device.type == 'cpu': time.sleep({ms / 1e3:.4f})"
    return Sample(broken(f"{body}\n    return {result}"))


def delay(default: object, warps: object) -> float:
    """Fewer warps than the default's are faster, and more are slower."""
    assert isinstance(default, int) and isinstance(warps, int)
    return 4.0 * warps / default


def tuning_task(
    space: Space, build: Callable[[Point], Sample], name: str
) -> TuningTask[Sample]:
    arguments = sleeping(1).program.arguments
    expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)
    return TuningTask(build, space, name, "schedule", (expected,))


def alone(task: KernelTask) -> TuningTask[Sample]:
    default = task.space.default_point() or {}

    def build(point: Point) -> Sample:
        return sleeping(delay(default["warps"], point["warps"]))

    return tuning_task(task.space, build, task.name)


def settings(folder: Path) -> TuneOptions:
    """Times on the host, which sleeps."""
    return TuneOptions(
        target=H200,
        cache_dir=folder / "sources",
        device="cpu",
        device_name="host",
        strategy="random",
        trials=24,
        workers=1,
        timing=TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3),
        final_rounds=3,
    )


def tuned(
    folder: Path,
    whole_of: Callable[[Point, float], Sample],
    watcher: Watcher,
    **changes: Any,
) -> tuple[Plan, TasksResult]:
    """Tune the two kernels; `whole_of` makes a whole program from its time."""
    found = two_kernels()
    space = read_space(found.schedule.module)
    default = space.default_point() or {}

    def build(point: Point) -> Sample:
        names = [name for name in point if name.startswith("warps")]
        return whole_of(point, sum(delay(default[n], point[n]) for n in names))

    options = replace(settings(folder), **changes)
    tasks = [(task, alone(task)) for task in extract_tasks(found).tasks]
    whole = tuning_task(space, build, "whole")
    with Database(folder / "results.db") as database:
        payloads = [WholePayload(found, whole)]
        return found, tune_tasks(payloads, tasks, options, database, watcher)


def warps(plan: Plan, point: Point) -> list[object]:
    return [point[f"warps_{kernel.number}"] for kernel in plan.kernels]


@dataclass
class Clock:
    """The clock of the budgets: the time that was kept passes at once."""

    ahead: float = 0.0

    def perf_counter(self) -> float:
        return time.perf_counter() + self.ahead


@dataclass
class Late(Watcher):
    """Ends the budget at the first trial that is faster than a default."""

    clock: Clock = field(default_factory=Clock)

    def on_trial(self, trial: Trial) -> None:
        super().on_trial(trial)
        if trial.milliseconds is not None and trial.milliseconds < 3.0:
            self.clock.ahead = 1000.0


@pytest.mark.slow
def test_what_was_found_is_tried_in_the_whole_after_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine may take the time that was kept."""
    late = Late()
    monkeypatch.setattr(time_budget, "time", late.clock)
    found, result = tuned(tmp_path, lambda _, ms: sleeping(ms), late, budget=600.0)
    assert late.clock.ahead and result.whole is not None
    assert any(one.change for one in result.tasks)
    assert not any(one.left_out for one in result.tasks)
    default = read_space(found.schedule.module).default_point() or {}
    assert warps(found, result.whole.best.point) != warps(found, default)
    assert result.whole.finalists
    assert any("were waited for" in line for line in result.whole.warnings)


@pytest.mark.slow
def test_each_kernel_gets_its_best_point_in_the_whole(tmp_path: Path) -> None:
    watcher = Watcher()
    found, result = tuned(tmp_path, lambda _, ms: sleeping(ms), watcher)
    assert len(result.tasks) == 2
    assert all(not o.left_out and o.trials >= 4 and o.rounds >= 2 for o in result.tasks)
    # A round that a task cannot use, since it has proposed every point, is not granted.
    assert all(o.rounds <= o.trials for o in result.tasks)
    assert result.trials == len(watcher.trials) <= 24
    for outcome in result.tasks:
        assert outcome.best is not None
        assert outcome.default_ms is not None and outcome.best_ms is not None
        assert outcome.best_ms < outcome.default_ms
        expected = outcome.task.in_whole(found, outcome.best.point)
        assert expected.items() <= result.whole.best.point.items()
    with Database(tmp_path / "results.db", read_only=True) as database:
        known = PlannedKernels(database)
        for outcome in result.tasks:
            recorded = known(signature_of(outcome.task.kernels[0].group, "h200"))
            assert recorded is not None and outcome.best is not None
            assert dict(recorded.point) == outcome.best.point
    gain = result.whole.gain()
    assert gain is not None and gain > 1.2
    assert {name for name in watcher.phases if name.startswith("kernel")} == {
        f"kernel {outcome.task.name}" for outcome in result.tasks
    }


@pytest.mark.slow
def test_a_kernel_whose_point_spoils_the_whole_keeps_its_default(
    tmp_path: Path,
) -> None:
    space = read_space(two_kernels().schedule.module)
    default = space.default_point() or {}

    def whole(point: Point, ms: float) -> Sample:
        changed = point["warps_1"] != default["warps_1"]
        return sleeping(ms, "a + 2" if changed else "a + 1")

    found, result = tuned(tmp_path, whole, Watcher())
    left_out = {o.task.kernels[0].number: o.left_out for o in result.tasks}
    assert "wrong or not faster" in left_out[1] and not left_out[2]
    first, second = warps(found, result.whole.best.point)
    assert first == default["warps_1"] and second != default["warps_2"]
    assert {trial.outcome for trial in result.whole.trials} == {"ok", "wrong"}


@pytest.mark.slow
def test_an_interrupt_ends_the_search_and_the_whole_is_still_checked(
    tmp_path: Path,
) -> None:
    watcher = Watcher(stop_after=6)
    _, result = tuned(tmp_path, lambda _, ms: sleeping(ms), watcher)
    assert result.interrupted
    assert 6 <= result.trials < 24
    assert result.whole.best.outcome == "ok"


@pytest.mark.slow
def test_equal_kernels_of_two_payloads_are_tuned_once(tmp_path: Path) -> None:
    """A payload of one kernel needs no check as a whole; its point is kept as well."""
    both, one = two_kernels(), one_kernel()
    tasks = extract_tasks(both, one).tasks
    assert sorted(task.uses for task in tasks) == [1, 2]

    def whole_of(found: Plan) -> TuningTask[Sample]:
        space = read_space(found.schedule.module)
        default = space.default_point() or {}

        def build(point: Point) -> Sample:
            names = [name for name in point if name.startswith("warps")]
            return sleeping(sum(delay(default[n], point[n]) for n in names))

        return tuning_task(space, build, found.text)

    payloads = [WholePayload(found, whole_of(found)) for found in (both, one)]
    made = [(task, alone(task)) for task in tasks]
    with Database(tmp_path / "results.db") as database:
        result = tune_tasks(payloads, made, settings(tmp_path), database, Watcher())
        known = PlannedKernels(database)
        assert all(known.has(signature_of(k.group, "h200")) for k in one.kernels)
        again = plan(parse_payload(one_payload()), H200, history=known)
    assert result.wholes[0] is not None and result.wholes[1] is None
    shared = next(o for o in result.tasks if o.task.uses == 2)
    assert shared.best is not None and not shared.left_out
    default = read_space(again.schedule.module).default_point()
    assert default == shared.best.point


@pytest.mark.slow
def test_a_kernel_without_a_reference_does_not_stop_the_others(tmp_path: Path) -> None:
    found = two_kernels()
    first, second = extract_tasks(found).tasks
    source = "def reference(a):\n    raise RuntimeError('too large')\n"
    specs = sleeping(1).program
    given = DeviceReference(source, specs.arguments, specs.results)
    lacking = replace(
        alone(first),
        expected=(ExpectedResults((), seed=7, on_device=given),),
        on_numpy=_fails,
    )
    space = read_space(found.schedule.module)
    whole = tuning_task(space, lambda point: sleeping(2), "whole")
    made = [(first, lacking), (second, alone(second))]
    result = tune_tasks(
        [WholePayload(found, whole)], made, settings(tmp_path), None, Watcher()
    )
    none, some = result.tasks
    assert none.best is None and none.ended == "no reference to check against"
    assert "too large" in none.failure
    assert some.best is not None and some.trials >= 4


def _fails(results: ExpectedResults) -> ExpectedResults:
    raise MemoryError("numpy has no room either")
