"""The structure of a whole payload: covers are compared, tried, and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from support.structure_works import WORKS
from support.tuning.samples import Sample, Watcher, broken
from tilewright.codegen.targets import target_named
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan
from tilewright.planning.recorded import STRUCTURE, changes_of, signature_of_structure
from tilewright.planning.structure import region_names
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.tasks.kernel_tasks import extract_tasks
from tilewright.tuning.tasks.run_description import WholePayload
from tilewright.tuning.tasks.structures import StructureSearch
from tilewright.tuning.tasks.task_search import TaskOutcome
from tilewright.tuning.tasks.tune_tasks import tune_tasks
from tilewright.tuning.tasks.whole import adopt
from tilewright.tuning.transfer.planned_kernels import PlannedKernels

H200 = target_named("h200")


def structured(name: str, margin: float = 3.0) -> Plan:
    return plan(parse_payload(WORKS[name]().text()), H200, margin=margin)


def measured(found: Plan, ms: dict[int, float]) -> list[TaskOutcome]:
    """Outcomes of kernels, by number, that take some milliseconds at their defaults."""
    return [
        TaskOutcome(task, ms.get(task.kernels[0].number), None, 1, 1, 0.0, "")
        for task in extract_tasks(found).tasks
    ]


class FakeWhole:
    """A whole program whose time depends on its structure alone."""

    def __init__(self, found: Plan, times: dict[tuple[str, ...], float | None]):
        self.plan = found
        self.times = times
        self.tried: list[tuple[str, ...]] = []
        self.most = 100
        """Programs that there is time for."""

    def labels(self, point: Point) -> tuple[str, ...]:
        names = region_names(self.plan.regions)
        return tuple(str(point.get(name, "planned")) for name in names)

    def milliseconds(self, point: Point) -> float | None:
        labels = self.labels(point)
        if labels not in self.tried:
            self.tried.append(labels)
        return self.times.get(labels, 9.0)

    def failure(self, point: Point) -> str:
        return "wrong"

    def has_tried(self, point: Point) -> bool:
        return self.labels(point) in self.tried

    def has_time(self) -> bool:
        return len(self.tried) < self.most

    def adopt(self, changes: Sequence[Point], base: Point) -> list[bool | None]:
        def timed(part: Sequence[int]) -> float | None:
            point = dict(base)
            for place in part:
                point |= changes[place]
            return self.milliseconds(point)

        return adopt(
            len(changes),
            self.milliseconds(base),
            lambda part: timed(sorted(part)),
            self.has_time,
        )


def test_the_kernels_of_all_covers_are_tasks() -> None:
    found = structured("gated_layer")
    kernels = {k.number for task in extract_tasks(found).tasks for k in task.kernels}
    assert kernels == {kernel.number for kernel in found.every_kernel}
    # Kernel 2 of the two covers with a matmul apart is one task.
    assert len(extract_tasks(found).tasks) < len(kernels)


def test_covers_whose_kernels_are_slow_alone_are_not_tried() -> None:
    found = structured("residual_and_norm")
    (region,) = found.regions
    quick = region.covers[1]
    ms = {kernel.number: 5.0 for kernel in found.every_kernel}
    ms |= {kernel.number: 1.0 for kernel in quick.kernels}
    whole = FakeWhole(found, {(quick.label,): 2.0})
    search = StructureSearch(whole, measured(found, ms))  # type: ignore[arg-type]
    search.run([])
    assert whole.tried == [("planned",), (quick.label,)]
    (outcome,) = search.outcomes({"structure": quick.label})
    assert outcome.best.cover is quick
    assert outcome.best.alone_ms == 2.0
    assert outcome.gain == pytest.approx(4.5) and outcome.is_faster
    assert {k.number for k in outcome.unused}.isdisjoint(
        kernel.number for kernel in quick.kernels
    )


def test_a_cover_with_a_kernel_that_has_no_time_is_tried() -> None:
    found = structured("residual_and_norm")
    whole = FakeWhole(found, {})
    search = StructureSearch(whole, [])  # type: ignore[arg-type]
    search.run([])
    labels = [cover.label for cover in found.regions[0].covers]
    assert sorted(whole.tried) == sorted((label,) for label in labels)


def test_what_there_was_no_time_to_try_is_told_from_what_was_tried() -> None:
    found = structured("residual_and_norm")
    (region,) = found.regions
    first, *others = [cover.label for cover in region.covers[1:]]
    assert others
    ms = {kernel.number: 1.0 for kernel in found.every_kernel}
    ms |= {kernel.number: 5.0 for kernel in found.kernels}
    whole = FakeWhole(found, {(first,): 9.5})
    whole.most = 2
    search = StructureSearch(whole, measured(found, ms))  # type: ignore[arg-type]
    search.run([])
    assert whole.tried == [("planned",), (first,)]
    (outcome,) = search.outcomes({"structure": "planned"})
    assert outcome.covers[1].whole_ms == 9.5
    assert [one.cover.label for one in outcome.untried] == others


def test_regions_are_tried_together_and_then_apart() -> None:
    found = structured("gated_layer")
    first, second = found.regions
    ms = {kernel.number: 1.0 for kernel in found.every_kernel}
    one, other = first.covers[1].label, second.covers[1].label
    times = {(one, other): 9.5, (one, "planned"): 4.0, ("planned", other): None}
    whole = FakeWhole(found, {**times})
    outcomes = measured(found, ms)
    # As fast as the planned kernels alone: two uses of half a millisecond.
    for place, outcome in enumerate(outcomes):
        numbers = {k.number for k in outcome.task.kernels}
        planned = numbers & {k.number for k in found.kernels}
        half = TaskOutcome(outcome.task, 1.0 if planned else 0.5, None, 1, 1, 0.0, "")
        outcomes[place] = half
    search = StructureSearch(whole, outcomes)  # type: ignore[arg-type]
    search.run([])
    assert (one, other) in whole.tried
    kept, refused = search.outcomes({"structure_1": one})
    assert kept.gain == pytest.approx(9.0 / 4.0)
    assert refused.best is refused.planned
    assert refused.covers[1].failure == "wrong"


def sleeping(ms: float) -> Sample:
    # On the meta device the launcher is being compiled.
    body = f"    if a.device.type == 'cpu': time.sleep({ms / 1e3:.4f})"
    return Sample(broken(f"{body}\n    return a + 1"))


def sleeping_task(space: Space, ms: float, slow: float, name: str) -> TuningTask:
    """A program that sleeps, longer under the planned structure."""
    arguments = sleeping(1).program.arguments
    expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)

    def build(point: Point) -> Sample:
        return sleeping(slow if point.get("structure") == "planned" else ms)

    return TuningTask(build, space, name, "schedule", (expected,))


@pytest.mark.slow
def test_the_faster_structure_wins_and_later_plans_have_it(tmp_path: Path) -> None:
    module = parse_payload(WORKS["two_layers"]().text())
    found = plan(module, H200, margin=1.3)
    tasks = [
        (task, sleeping_task(task.space, 2.0, 2.0, task.name))
        for task in extract_tasks(found).tasks
    ]
    whole = sleeping_task(read_space(found.schedule.module), 3.0, 6.0, "whole")
    options = TuneOptions(
        target=H200,
        cache_dir=tmp_path / "sources",
        device="cpu",
        device_name="host",
        strategy="random",
        trials=8,
        workers=1,
        timing=TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3),
        final_rounds=3,
    )
    with Database(tmp_path / "results.db") as database:
        payloads = [WholePayload(found, whole)]
        result = tune_tasks(payloads, tasks, options, database, Watcher())
        known = PlannedKernels(database)
        signature = signature_of_structure(found.analysis.plannable, "h200")
        recorded = known(signature)
        again = plan(module, H200, history=known)
    (structure,) = result.structures
    assert structure.picked == "product_apart"
    assert structure.gain is not None and structure.gain > 1.5
    assert recorded is not None and recorded.sketch == STRUCTURE
    assert changes_of(recorded) == structure.best.cover.changes
    assert again.changes == structure.best.cover.changes
    assert again.recorded[0].startswith("the structure: tuned on ")
    wanted = [[f.name for f in k.group.ops] for k in structure.best.cover.kernels]
    assert [[f.name for f in k.group.ops] for k in again.kernels] == wanted
