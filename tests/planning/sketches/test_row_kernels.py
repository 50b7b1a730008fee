"""Planned work on rows: whole, persistent and looped rows, short, long and odd ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.payloads import (
    Payload,
    elementwise,
    exp,
    index,
    layernorm,
    log,
    reduce,
    rmsnorm,
    softmax,
    where,
)
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.grouping import group_ops
from tilewright.planning.sketches.base import Point, Sketch
from tilewright.planning.sketches.rows.looped import LoopedRows
from tilewright.planning.sketches.rows.shape import RowShape, row_shape
from tilewright.planning.sketches.rows.whole import PersistentRows
from tilewright.planning.writing.lines import Lines, match_ops
from tilewright.planning.writing.names import is_taken
from tilewright.schedules.schedule import Schedule

H200 = TARGETS["h200"]


def payload_of(kind: str, rows: int, columns: int, dtype: str = "f16") -> Payload:
    p = Payload(kind)
    x = p.input("x", (rows, columns), dtype)
    if kind == "softmax":
        p.output(softmax(x))
    elif kind == "sum":
        p.output(x.sum(-1))
    elif kind == "rmsnorm":
        p.output(rmsnorm(x, p.input("weight", (columns,), dtype)))
    elif kind == "layernorm":
        y = p.input("y", (rows, columns), dtype)
        weight = p.input("weight", (columns,), dtype)
        p.output(layernorm(x + y, weight, p.input("bias", (columns,), dtype)))
    elif kind == "causal":
        seen = elementwise(lambda s: where(index(-1) <= index(-2), s * 0.125, -1e4), x)
        p.output(softmax(seen, dtype=dtype))
    else:
        at = p.input("labels", (rows,), "i64")
        largest = x.max(-1, keepdims=True)
        total = reduce(
            "sum", x, largest, axis=-1, of=lambda x, m: exp(x - m), keepdims=True
        )
        picked = reduce(
            *("sum", x, at[:, None]),
            of=lambda x, at: where(index(-1).cast("i64") == at, x, 0.0),
            axis=-1,
            keepdims=True,
        )
        p.output(
            elementwise(
                lambda m, t, x: m + log(t) - x, largest, total, picked, dtype=dtype
            )
        )
    return p


KINDS = ("softmax", "sum", "rmsnorm", "layernorm", "causal", "cross_entropy")


def labels(payload: Payload) -> list[str]:
    """The sketches of the only kernel, the best first."""
    (kernel,) = planned(payload).kernels
    return [candidate.sketch.label for candidate in kernel.candidates]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("softmax", (3, 1001)),
        ("causal", (5, 40)),
        ("cross_entropy", (5, 41)),
        *[pytest.param(k, (3, 1001), marks=pytest.mark.slow) for k in KINDS[1:]],
        *[pytest.param(k, (5, 40), marks=pytest.mark.slow) for k in KINDS],
    ],
)
def test_whole_rows(kind: str, shape: tuple[int, int]) -> None:
    payload = payload_of(kind, *shape)
    assert labels(payload) == ["whole_rows"]
    assert_right(payload)


def built(payload: Payload, make: Callable[[RowShape], Sketch], point: Point) -> Built:
    """The program of one sketch at a point."""
    module = parse_payload(payload.text())
    (group,) = group_ops(analyse(module, is_taken), H200).groups
    shape = row_shape(group)
    assert shape is not None
    lines = Lines()
    lines.add(match_ops("ops"))
    lines.do("split_handle", "ops", to=[facts.name for facts in group.ops])
    for name, value in point.items():
        lines.constant(name, value)
    make(shape).write(lines)
    return build(module, Schedule.of_statements(lines.statements), {})


def check(made: Built, payload: Payload, *, by_triton: bool = False) -> None:
    case = make_case(parse_payload(payload.text()), 0, None)
    found = [check_kernel_ir(made, case)]
    if by_triton:
        found += check_triton_source(made, [case])
    for comparison in found:
        assert comparison.ok, comparison.message


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "kind",
    [
        "softmax",
        "cross_entropy",
        *[pytest.param(k, marks=pytest.mark.slow) for k in KINDS[1:-1]],
    ],
)
def test_looped_rows(kind: str) -> None:
    payload = payload_of(kind, 3, 301)
    made = built(
        payload,
        lambda shape: LoopedRows(shape, H200, 128),
        {"warps": 4, "unroll": 4, "aligned": 1},
    )
    # One pass for each reduction that waits for another, and one to store.
    passes = {"softmax": 3, "causal": 3, "layernorm": 3, "sum": 1}.get(kind, 2)
    assert made.program.text.count("in tl.range(") == passes
    assert "edge_columns" in made.program.text
    check(made, payload)


def test_sums_of_images_are_one_loop() -> None:
    p = Payload("dice")
    x, y = (p.input(name, (3, 2, 8, 40), "f32") for name in "xy")
    both = (x * y).sum((2, 3))
    p.output(both / (x.sum((2, 3)) + y.sum((2, 3))))
    point = {"warps": 4, "unroll": 1}
    made = built(p, lambda shape: LoopedRows(shape, H200, 128), point)
    assert made.program.text.count("in tl.range(") == 1
    assert made.program.text.count("tl.load(") == 2
    check(made, p)


def test_long_rows_of_doubles_are_planned() -> None:
    found = planned(payload_of("sum", 4, 20000, "f64"))
    assert found.kernels[0].candidates


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_looped_rows_by_triton(kind: str) -> None:
    payload = payload_of(kind, 3, 301)
    point = {"warps": 4, "unroll": 4, "aligned": 1}
    made = built(payload, lambda shape: LoopedRows(shape, H200, 128), point)
    check(made, payload, by_triton=True)


@pytest.mark.parametrize("columns", [304, 301])
def test_persistent_rows(columns: int) -> None:
    payload = payload_of("softmax", 3, columns)
    point = {"warps": 4, "programs": 1, "stages": 2, "aligned": 1}
    made = built(payload, lambda shape: PersistentRows(shape, H200), point)
    assert "tl.num_programs(0)" in made.program.text
    check(made, payload)


def test_long_rows_that_are_computed_of_two_vectors() -> None:
    """Nothing of a row is read: its time is not that of the bytes it reads."""
    p = Payload("outer")
    x, y = p.input("x", (4, 1), "f32"), p.input("y", (1, 65536), "f32")
    p.output(softmax(x * y))
    (kernel,) = planned(p).kernels
    assert kernel.candidates
    assert_right(p)


def test_rows_that_do_not_fit_into_registers_are_looped() -> None:
    assert "whole_rows" not in labels(payload_of("softmax", 4096, 100003, "bf16"))
    assert labels(payload_of("softmax", 8192, 50257, "bf16"))[0] == "whole_rows"


def test_odd_rows_are_aligned() -> None:
    (kernel,) = planned(payload_of("softmax", 8192, 50257, "bf16")).kernels
    assert kernel.candidates[0].point["aligned"] == 1
    (kernel,) = planned(payload_of("softmax", 8192, 50304, "bf16")).kernels
    assert "aligned" not in kernel.candidates[0].point


def test_a_reduction_along_columns_is_none_of_rows() -> None:
    p = Payload("columns")
    p.output(p.input("x", (64, 33), "f32").sum(0))
    (group,) = group_ops(analyse(p.module, is_taken), H200).groups
    assert row_shape(group) is None


@pytest.mark.slow
def test_few_long_rows_compute_what_is_element_wise_in_each_kernel() -> None:
    payload = payload_of("softmax", 2, 70001, "f32")
    found = planned(payload)
    groups = [[facts.name for facts in k.group.ops] for k in found.kernels]
    assert [names.count("exponential") for names in groups] == [0, 1, 1]
    assert found.text.count("exponential = recompute exponential") == 1
    assert_right(payload)


@pytest.mark.parametrize(
    ("kind", "rows", "once"),
    [("sum", 8192, True), ("sum", 64, False), ("softmax", 8192, False)],
)
def test_rows_larger_than_the_cache_leave_it_free(
    kind: str, rows: int, once: bool
) -> None:
    plan = planned(payload_of(kind, rows, 16384))
    (kernel,) = plan.kernels
    # Every structure reads the rows once.
    count = len(kernel.candidates) if once else 0
    assert plan.text.count("read_once = 1") == count


def maxima_of_blocks(images: int, blocks: int, size: int) -> Payload:
    """The largest element of each block, as an adaptive pooling has them."""
    payload = Payload("f")
    x = payload.input("x", (images, blocks, size, blocks, size), "f32")
    payload.output(x.max((2, 4)))
    return payload


def test_a_program_takes_two_places_before_a_short_axis() -> None:
    assert "cdiv(rows, 8)" in planned(maxima_of_blocks(4096, 7, 8)).text
    assert_right(maxima_of_blocks(3, 7, 4), point={"rows": 16})
