"""Scatters whose updates a grid writes: the ops around the grid, and refusals."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right
from tilewright.frontend.builder.scalar import Scalar
from tilewright.ir.errors import UserError
from tilewright.payloads import (
    Payload,
    elementwise,
    gather,
    index,
    scatter,
    scatter_add,
)
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

MARKED = """schedule marked(root) {
  ops = match implementing [LinalgOp] in root
  first, sums = split_handle ops
  library sums by "atomics"
}
"""


def added(*, returned: bool = False) -> str:
    """Updates added to an argument; perhaps a value of the first op is returned too."""
    p = Payload("added")
    ids, rows = p.input("ids", (6,), "i64"), p.input("rows", (6,), "f32")
    p.output(scatter_add(p.input("x", (4,), "f32"), ids, rows, 0))
    text = p.text()
    if returned:
        text = text.replace("-> tensor<4xf32> {", "-> (tensor<4xf32>, tensor<6xf32>) {")
        text = text.replace(
            "return %sums : tensor<4xf32>",
            "return %sums, %values : tensor<4xf32>, tensor<6xf32>",
        )
    return text


def test_a_marked_scatter_has_no_kernel_of_its_own() -> None:
    made = build(parse_payload(added()), Schedule.from_text(MARKED), {})
    assert [kernel.name for kernel in made.program.kernels] == ["added_kernel"]
    text = made.program.text
    assert text.index("copy_(x)") < text.index("_kernel[") and "tl.atomic_add" in text


def test_the_default_marks_a_scatter() -> None:
    made = build(parse_payload(added()), Schedule.empty(), {})
    assert made.program.text.count("tl.atomic_add") == 1
    assert "tl.store" not in made.program.text


def test_a_scatter_that_adds_is_not_stored() -> None:
    text = MARKED.replace("atomics", "stores")
    with pytest.raises(UserError, match=r"stored by the kernel before it: it adds"):
        build(parse_payload(added()), Schedule.from_text(text), {})


def test_values_that_are_read_elsewhere_are_refused() -> None:
    with pytest.raises(UserError, match="uses its places or values too"):
        build(parse_payload(added(returned=True)), Schedule.from_text(MARKED), {})
    made = build(parse_payload(added(returned=True)), Schedule.empty(), {})
    assert "tl.atomic_add" not in made.program.text


def test_an_op_that_is_no_scatter_is_refused() -> None:
    p = Payload("sums")
    p.output((p.input("x", (4, 6), "f32") * 2.0).sum(1))
    text = MARKED.replace("first, sums", "mul, init, sums")
    with pytest.raises(UserError, match="does not write values to places"):
        build(parse_payload(p.text()), Schedule.from_text(text), {})


def test_the_initial_values_come_before_the_grid() -> None:
    p = Payload("ordered")
    ids, rows = p.input("ids", (6,), "i64"), p.input("rows", (6, 5), "f32")
    made = rows * 2.0
    p.output(scatter_add(made[:4] * 3.0, ids[:, None], made, 0), made)
    text = assert_right(p, by_triton=True).program.text
    assert text.count("tl.atomic_add") == 1


def test_updates_of_what_they_are_added_to_are_read_from_a_copy() -> None:
    p = Payload("nodes")
    ids, nodes = p.input("ids", (4,), "i64"), p.input("nodes", (4, 5), "f32") * 2.0

    def turned(i: Scalar) -> Scalar:
        return gather(nodes, 3 - index(0).cast("i64"), index(1)) + i * 0

    rows = elementwise(turned, ids[:, None].cast("f32") + nodes * 0.0)
    p.output(scatter_add(nodes, ids[:, None], rows, 0))
    text = assert_right(p, by_triton=True).program.text
    assert text.count("tl.atomic_add") == text.count(".copy_(") == 1


def test_initial_values_are_stored_by_another_kernel() -> None:
    """Programs do not wait for each other."""
    p = Payload("stored")
    ids, nodes = p.input("ids", (4,), "i64"), p.input("nodes", (4, 5), "f32") * 2.0
    p.output(scatter_add(nodes, ids[:, None], nodes * 3.0, 0))
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == 2 and text.count("tl.atomic_add") == 1


def test_a_scatter_that_starts_from_another_has_another_kernel() -> None:
    """One kernel would have to run before and after what makes the start."""
    p = Payload("twice")
    ids, rows = p.input("ids", (1,), "i64"), p.input("rows", (1, 5), "f32")
    once = scatter(p.input("x", (6, 5), "f32"), ids[:, None], rows * 2.0, 0)
    twice = scatter(once * 3.0, ids[:, None], rows * 4.0, 0)
    p.output(once, twice)
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == 3


def test_updates_of_two_scatters_share_a_kernel() -> None:
    p = Payload("both")
    ids, rows = p.input("ids", (1,), "i64"), p.input("rows", (1, 5), "f32")
    for name in "xy":
        start = p.input(name, (6, 5), "f32", writable=True)
        p.output(scatter(start, ids[:, None], rows * 2.0, 0))
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == 1 and text.count("tl.store") == 2
