"""tilewright.row_reductions: a reduction over several loops reduces rows first."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, Tensor, absolute, softmax
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan

SCHEDULE = schedule_of(patterns("tilewright.row_reductions"))
H200 = TARGETS["h200"]

OPEN = """
func.func @f(%x: tensor<?x9xf32>, %n: index, %o: tensor<f32>) -> tensor<f32> {
  %s = tensor.extract_slice %x[0, 1] [%n, 8] [1, 1] : tensor<?x9xf32> to tensor<?x8xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%s : tensor<?x8xf32>) outs(%o : tensor<f32>) {
    ^bb0(%e: f32, %t: f32):
      %a = arith.addf %e, %t : f32
      linalg.yield %a : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
"""


def loss(*shape: int, axes: tuple[int, ...] = (0, 1), reduce: str = "sum") -> str:
    """A reduction of a softmax that is multiplied by another tensor."""
    p = Payload("loss")
    x, y = p.input("x", shape, "f32"), p.input("y", shape, "f32")
    found: Tensor = softmax(x, len(shape) - 1) * y
    p.output(getattr(found, reduce)(axes))
    return p.text()


def variation(rows: int, columns: int) -> str:
    """The sum of the differences between neighbours of a row."""
    p = Payload("variation")
    x = p.input("x", (rows, columns + 1), "f32")
    p.output(absolute(x[:, 1:] - x[:, :-1]).sum((0, 1)))
    return p.text()


@pytest.mark.parametrize(
    "text",
    [
        loss(5, 7),
        loss(5, 7, reduce="max"),
        loss(3, 4, 7, axes=(0, 2)),
        loss(3, 4, 7, axes=(0, 1, 2)),
        variation(5, 6),
    ],
)
def test_rows_are_reduced_first(text: str) -> None:
    ran = transform(text, SCHEDULE)
    assert_same_numbers(ran)
    before = transform(text, schedule_of()).text
    assert ran.text.count("linalg.generic") == before.count("linalg.generic") + 1


@pytest.mark.parametrize(
    "text",
    [
        loss(5, 7, axes=(1,)),
        loss(5, 7, 3, axes=(0, 1)),
        loss(1, 1),
        OPEN,
    ],
)
def test_other_reductions_stay(text: str) -> None:
    assert transform(text, SCHEDULE).text == transform(text, schedule_of()).text


def test_sums_of_what_has_no_reduced_rows_stay() -> None:
    p = Payload("all")
    x = p.input("x", (5, 7), "f32")
    p.output((x * x.sum((0,))).sum((0, 1)))
    ran = transform(p.text(), SCHEDULE)
    assert ran.text == transform(p.text(), schedule_of()).text


@pytest.mark.parametrize(
    ("text", "rows_first"),
    [
        (loss(8192, 1024), True),
        (variation(64, 65536), True),
        (loss(2, 65536), False),
        (variation(2048, 2048), False),
    ],
)
def test_the_estimates_decide(text: str, rows_first: bool) -> None:
    found = plan(parse_payload(text), H200)
    assert ("tilewright.row_reductions" in found.text) == rows_first


def test_a_kernel_that_holds_rows_sums_them() -> None:
    found = plan(parse_payload(loss(512, 256)), H200)
    assert found.kernel_count == 2
    program = build(parse_payload(loss(512, 256)), found.schedule, {}).program
    assert len(program.kernels) == 2
