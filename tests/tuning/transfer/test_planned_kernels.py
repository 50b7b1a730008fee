"""Recorded points of planned kernels: kept, found by shape, used by the next plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.targets import TARGETS
from tilewright.ir.errors import Place, UserError
from tilewright.known_points import recorded_kernels
from tilewright.payloads import Payload, linear, softmax
from tilewright.pipeline import parse_payload
from tilewright.planned_build import build_planned
from tilewright.planning.plan import PLANNED, Plan, plan
from tilewright.planning.ranking import kernel_points, ranked_points
from tilewright.planning.recorded import History, KernelSignature, signature_of
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.read import read_space
from tilewright.tuning.transfer.nearness import size_distance
from tilewright.tuning.transfer.planned_kernels import FURTHEST_KERNEL, PlannedKernels
from tilewright.tuning.transfer.winners import winners_json


def planned(m: int, n: int, dtype: str = "f16", history: History | None = None) -> Plan:
    payload = Payload("f")
    x, w = payload.input("x", (m, 512), dtype), payload.input("w", (512, n), dtype)
    payload.output(linear(x, w, activation="relu"))
    return plan(parse_payload(payload.text()), TARGETS["h200"], history=history)


@pytest.mark.parametrize(
    ("wanted", "other", "near"),
    [
        ((100, 8), (125, 8), True),
        ((100, 8), (126, 8), False),
        ((100, 8), (100,), False),
        ((100, 0), (100, 0), True),
        ((100, 0), (100, 1), False),
    ],
)
def test_shapes_are_near(
    wanted: tuple[int, ...], other: tuple[int, ...], near: bool
) -> None:
    assert (size_distance(wanted, other, FURTHEST_KERNEL) is not None) == near


def test_a_recorded_point_is_the_default_of_a_shape_nearby(tmp_path: Path) -> None:
    first = planned(1024, 1024)
    # Another point of the sketch that the model picks.
    best = first.kernels[0].candidates[0]
    sketch = best.sketch.label
    signature, point = next(
        (signature, point)
        for other in ranked_points(first, 20)
        for signature, label, point in kernel_points(first, other)
        if label == sketch and point != best.point
    )
    with Database(tmp_path / "results.db") as database:
        history = PlannedKernels(database)
        assert planned(1024, 1024, history=history).text == first.text
        history.record(signature, sketch, point)
        near = planned(1024, 1152, history=history)
        assert near.kernels[0].candidates[0].sketch.label == sketch
        assert near.kernels[0].candidates[0].point == point
        assert "defaults tuned on " in near.text
        assert near.schedule.defaults({})
        for others in (planned(1024, 2048, history=history), planned(1024, 1024)):
            assert "defaults tuned" not in others.text
        assert "defaults tuned" not in planned(1024, 1024, "bf16", history).text
        shipped = tmp_path / "winners.json"
        shipped.write_text(winners_json([], history.all()))
    with recorded_kernels(shipped) as winners:
        again = planned(1024, 1152, history=winners)
    assert again.kernels[0].candidates[0].point == point
    assert "(winners.json)" in again.recorded[0]


def test_the_nearest_shape_counts_and_damaged_rows_do_not(tmp_path: Path) -> None:
    def signature(*extents: int) -> KernelSignature:
        return KernelSignature("h200", "same", extents)

    with Database(tmp_path / "results.db") as database:
        history = PlannedKernels(database)
        assert history(signature(100)) is None
        history.record(signature(110), "tiles", {"BM": 1})
        history.record(signature(90), "tiles", {"BM": 2})
        history.record(signature(101), "tiles", {"BM": 3})
        history.record(signature(101), "tiles", {"BM": 4})
        found = history(signature(100))
        assert found is not None
        assert found.point == {"BM": 4}
        with database.writing() as connection:
            connection.execute("UPDATE planned_kernels SET point = '[' WHERE id > 2")
        found = history(signature(100))
        assert found is not None
        assert found.point in ({"BM": 1}, {"BM": 2})


def test_the_branches_of_a_kernel_are_recorded_too(tmp_path: Path) -> None:
    """A winner that loads through pointers is no winner with descriptors."""
    first = planned(4096, 4096)
    space = read_space(first.schedule.module)
    default = space.completed({"kernel": "tiles"})
    (name,) = [name for name in default if name.startswith("loads")]
    other = {"pointers": "descriptors", "descriptors": "pointers"}
    wanted = {**default, name: other[str(default[name])]}
    with Database(tmp_path / "results.db") as database:
        history = PlannedKernels(database)
        (kernel,) = kernel_points(first, wanted)
        assert not history.has(kernel[0])
        history.record(*kernel)
        assert history.has(kernel[0])
        assert not history.has(replace(kernel[0], extents=(4096, 4096)))
        again = planned(4096, 4096, history=history)
        found = read_space(again.schedule.module).default_point()
        assert found == wanted
        history.record(kernel[0], kernel[1], {**kernel[2], "loads": "removed since"})
        other_version = planned(4096, 4096, history=history)
        found = read_space(other_version.schedule.module).default_point()
        assert found == default


def rows_alone(history: History | None = None) -> tuple[Plan, ModuleOp]:
    p = Payload("one")
    p.output(softmax(p.input("y", (64, 3000), "f32")))
    module = parse_payload(p.text())
    return plan(module, TARGETS["h200"], history=history), module


def test_a_point_that_was_measured_needs_no_estimate_that_allows_it(
    tmp_path: Path,
) -> None:
    """The planner would not propose one warp for so long a row; the tuner tries it."""
    first, _ = rows_alone()
    sketch = first.kernels[0].candidates[0].sketch
    point: dict[str, int | str] = {"rows": 4, "warps": 1}
    assert not sketch.is_valid({"rows": 4, "warps": 1})
    with Database(tmp_path / "results.db") as database:
        history = PlannedKernels(database)
        history.record(
            signature_of(first.kernels[0].group, "h200"), sketch.label, point
        )
        found, _ = rows_alone(history)
    assert found.kernels[0].candidates[0].point == point


def test_a_recorded_point_that_is_refused_gives_way_to_the_planned_one(
    tmp_path: Path,
) -> None:
    first, module = rows_alone()
    best = first.kernels[0].candidates[0]
    signature = signature_of(first.kernels[0].group, "h200")
    tried: list[object] = []

    def build(schedule: Schedule) -> str:
        text = schedule.to_tw()
        tried.append(text)
        if "default 4 " in text.replace("\n", " ") and len(tried) == 1:
            raise UserError("it is refused", Place(PLANNED, 9, 1, part="kernel 1"))
        return text

    with Database(tmp_path / "results.db") as database:
        history = PlannedKernels(database)
        history.record(signature, best.sketch.label, {"rows": 4, "warps": 1})
        done = build_planned(module, TARGETS["h200"], build, history=history)
    assert len(tried) == 2
    assert done.plan.kernels[0].candidates[0].point == best.point
    assert "tuned on" in done.refusals[0] and "it is refused" in done.refusals[0]
