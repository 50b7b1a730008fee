"""Structures: other kernels for the same ops, as branches of a planned schedule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from support.structure_works import WORKS, Written
from tilewright.check_schedule.report import Severity, checked
from tilewright.codegen.targets import TARGETS
from tilewright.ir.errors import Place, SilenceableFailure
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, Tensor, exp, log
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.planning.grouping.changes import Change, Changes, Kind
from tilewright.planning.plan import PLANNED, Plan, plan
from tilewright.planning.recorded import (
    STRUCTURE,
    KernelSignature,
    RecordedPoint,
    changes_of,
    words_of,
)
from tilewright.planning.structure import MARGIN, Structures, region_names
from tilewright.schedules.schedule import Schedule, check_text

WIDE = 3.0
"""A margin within which small works have many structures."""


def planned(payload: Payload | Written, margin: float | None = WIDE) -> Plan:
    return planned_text(payload.text(), margin)


@cache
def planned_text(text: str, margin: float | None) -> Plan:
    """Several tests read the same plan; none changes it."""
    return plan(parse_payload(text), TARGETS["h200"], margin=margin)


def labels(found: Plan) -> list[list[str]]:
    return [[cover.label for cover in region.covers] for region in found.regions]


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKS)
def test_every_structure_has_the_right_numbers(name: str) -> None:
    payload = WORKS[name]()
    module, found = parse_payload(payload.text()), planned(payload)
    case = make_case(module, 0, None)
    assert found.regions
    for choice, region in zip(region_names(found.regions), found.regions, strict=True):
        assert len(region.covers) > 1
        for cover in region.covers:
            made = build(module, found.schedule, {choice: cover.label})
            comparison = check_kernel_ir(made, case)
            assert comparison.ok, (cover.label, comparison.message)


@pytest.mark.slow
@pytest.mark.sampled(50)
@pytest.mark.parametrize("name", WORKS)
def test_the_defaults_are_the_plan_without_structure(name: str) -> None:
    payload = WORKS[name]()
    module = parse_payload(payload.text())
    plain = build(module, planned(payload, None).schedule)
    assert build(module, planned(payload).schedule).program.key == plain.program.key


@pytest.mark.sampled(50)
@pytest.mark.parametrize("name", WORKS)
def test_the_text_reads_as_the_schedule(name: str) -> None:
    found = planned(WORKS[name]())
    assert check_text(found.text, PLANNED) == []
    read = Schedule.from_text(found.text, PLANNED)
    assert read.module.is_structurally_equivalent(found.schedule.module)
    errors = [f for f in checked(read, ()).findings if f.severity == Severity.ERROR]
    assert errors == []


@pytest.mark.slow
def test_choices_of_different_regions_compose() -> None:
    payload = WORKS["gated_layer"]()
    module, found = parse_payload(payload.text()), planned(payload)
    case = make_case(module, 0, None)
    names = region_names(found.regions)
    assert names == ["structure_1", "structure_2"]
    for taken in itertools.product(*(each[-2:] for each in labels(found))):
        made = build(module, found.schedule, dict(zip(names, taken, strict=True)))
        assert check_kernel_ir(made, case).ok, taken


@pytest.mark.sampled(50)
@pytest.mark.parametrize("name", WORKS)
def test_regions_have_no_kernel_in_common(name: str) -> None:
    found = planned(WORKS[name]())
    numbers = [
        kernel.number for region in found.regions for kernel in region.planned.kernels
    ]
    assert len(set(numbers)) == len(numbers)
    written = [
        {kernel.number for cover in region.covers for kernel in cover.kernels}
        for region in found.regions
    ]
    assert not any(a & b for a, b in itertools.combinations(written, 2))


@pytest.mark.slow
def test_a_region_has_structures_within_the_margin_only() -> None:
    payload = WORKS["norm_around_matmul"]()
    for margin in (1.0, 1.35, 1.5):
        for region in planned(payload, margin).regions:
            limit = margin * region.planned.seconds
            assert all(cover.seconds <= limit for cover in region.covers)
    assert len(labels(planned(payload, 1.0))[0]) < len(labels(planned(payload))[0])
    assert planned(WORKS["loss"](), 1.0).regions == ()


def test_structures_within_1_3_times_the_planned_are_open() -> None:
    (near,) = planned(WORKS["norm_around_matmul"](), MARGIN).regions
    (all_,) = planned(WORKS["norm_around_matmul"](), math.inf).regions
    limit = 1.3 * all_.planned.seconds
    wanted = {c.label for c in all_.covers if c.seconds <= limit}
    assert {c.label for c in near.covers} == wanted
    assert 2 < len(wanted) < len(all_.covers) == 9  # eight beside the planned one


def test_64_structures_are_tried() -> None:
    tried: list[Changes] = []

    def regroup(changes: Changes) -> Any:
        tried.append(changes)
        return grouping

    decisions = [SimpleNamespace(changes=frozenset({n})) for n in range(100)]
    grouping: Any = SimpleNamespace(groups=(), decisions=decisions)
    payload: Any = SimpleNamespace(ops=())
    rest: Any = None
    found = Structures(payload, grouping, (), regroup, rest, rest, 1.0).regions()
    assert found == () and len(tried) == 64


@pytest.mark.slow
def test_structures_of_one_region_compose_where_they_touch_different_kernels() -> None:
    (found,) = labels(planned(WORKS["equal_layers"](), 1.02))
    both = ["_and_" in label for label in found]
    assert any(both) and both == sorted(both)  # single decisions first


@pytest.mark.sampled(50)
@pytest.mark.parametrize("name", WORKS)
def test_labels_are_different(name: str) -> None:
    for region in labels(planned(WORKS[name]())):
        assert region[0] == "planned"
        assert len(set(region)) == len(region)


def test_a_point_tells_the_kernels() -> None:
    found = planned(WORKS["two_layers"]())
    (region,) = found.regions
    assert found.kernels_at({}) == list(found.kernels)
    other = region.covers[1]
    assert found.kernels_at({"structure": other.label}) == list(other.kernels)


@pytest.mark.slow
def test_the_changes_of_a_structure_give_its_kernels() -> None:
    payload = WORKS["attention_and_projection"]()
    module = parse_payload(payload.text())
    (region,) = planned(payload).regions
    for cover in region.covers:
        again = plan(module, TARGETS["h200"], changes=cover.changes)
        ops = [[f.name for f in kernel.group.ops] for kernel in again.kernels]
        assert ops == [[f.name for f in kernel.group.ops] for kernel in cover.kernels]


def test_a_schedule_with_structures(golden: Callable[[str, str], None]) -> None:
    golden("schedules/structure.tw", planned(WORKS["two_layers"](), 1.3).text)


@pytest.mark.slow
def test_a_structure_that_is_refused_is_left_out() -> None:
    module = parse_payload(WORKS["gated_layer"]().text())

    def built(schedule: Schedule) -> Built:
        if schedule.point.get("structure_1") == "product_2_apart":
            raise SilenceableFailure("no such luck")
        return build(module, schedule)

    done = build_planned(module, TARGETS["h200"], built, margin=WIDE)
    assert done.refusals == ("structure product_2_apart was refused: no such luck",)
    full = planned(WORKS["gated_layer"]())
    assert labels(full)[0] == [*labels(done.plan)[0], "product_2_apart"]
    # Kernels keep their numbers, so that those which are refused are still known.
    numbers = {kernel.number for kernel in full.every_kernel}
    assert {kernel.number for kernel in done.plan.every_kernel} < numbers


def test_a_recorded_structure_that_is_refused_gives_way_to_the_planned_one() -> None:
    module = parse_payload(WORKS["two_layers"]().text())
    cover = planned(WORKS["two_layers"]()).regions[0].covers[1]
    recorded = RecordedPoint(STRUCTURE, {}, "tuned once", words_of(cover.changes))

    def history(signature: KernelSignature) -> RecordedPoint | None:
        return recorded if signature.structure.startswith(STRUCTURE) else None

    found = plan(module, TARGETS["h200"], history=history)
    assert found.recorded == ("the structure: tuned once",)
    assert found.changes == cover.changes
    tried: list[int] = []

    def built(schedule: Schedule) -> Built:
        tried.append(1)
        if len(tried) == 1:
            raise SilenceableFailure("no such luck")
        return build(module, schedule)

    done = build_planned(module, TARGETS["h200"], built, history=history)
    assert done.refusals == ("the recorded structure was refused: no such luck",)
    assert done.plan.changes == frozenset()


def test_changes_are_recorded_as_words() -> None:
    changes = frozenset(
        {
            Change(Kind.APART, (3, 5)),
            Change(Kind.APART, (13, 15)),
            Change(Kind.JOINED, (1, 4, 6)),
            Change(Kind.STORED, (2,)),
        }
    )
    words = words_of(changes)
    assert words == {"apart": "3+5 13+15", "joined": "1+4+6", "stored": "2"}
    assert changes_of(RecordedPoint(STRUCTURE, {}, "", words)) == changes
    for damaged in ({"bent": "1"}, {"apart": "3"}, {"stored": "x"}):
        assert not changes_of(RecordedPoint(STRUCTURE, {}, "", damaged))
    assert changes_of(RecordedPoint("tiles", {}, "", words)) == frozenset()
    assert changes_of(None) == frozenset()


@pytest.mark.slow
def test_a_kernel_of_a_structure_that_is_refused_gets_its_next_sketch() -> None:
    module = parse_payload(WORKS["gated_layer"]().text())

    def built(schedule: Schedule) -> Built:
        made = build(module, schedule)
        place = Place(PLANNED, 1, 1, part="kernel 3")
        label = schedule.defaults(schedule.point).get("kernel_3")
        if label == first:
            raise SilenceableFailure("no such luck", place)
        return made

    found = planned(WORKS["gated_layer"]())
    third = next(kernel for kernel in found.every_kernel if kernel.number == 3)
    first, second = (candidate.sketch.label for candidate in third.candidates[:2])
    done = build_planned(module, TARGETS["h200"], built, margin=WIDE)
    assert [*map(sorted, labels(done.plan))] == [*map(sorted, labels(found))]
    again = next(k for k in done.plan.every_kernel if k.number == 3)
    assert again.candidates[0].sketch.label == second
    (refusal,) = done.refusals
    assert refusal.endswith("was refused: no such luck")


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["looped_rows_8192", "whole_rows"])
def test_loops_over_rows_compute_what_other_kernels_compute_too(kernel: str) -> None:
    p = Payload("divergence")

    def log_softmax(name: str) -> Tensor:
        wide = p.input(name, (4, 32768), "f16").cast("f32")
        centred = wide - wide.max(-1, keepdims=True)
        return centred - log(exp(centred).sum(-1, keepdims=True))

    one, other = log_softmax("x"), log_softmax("y")
    p.output((exp(one) * (one - other)).sum(-1))
    module, found = parse_payload(p.text()), planned(p)
    (region,) = found.regions
    cover = next(cover for cover in region.covers if cover.shared)
    point: dict[str, Any] = {"structure": cover.label}
    point |= {f"kernel_{one.number}": kernel for one in cover.kernels}
    built = build(module, found.schedule, point)
    assert len(built.program.kernels) == len(cover.kernels)
    assert check_kernel_ir(built, make_case(module, 0, None)).ok
