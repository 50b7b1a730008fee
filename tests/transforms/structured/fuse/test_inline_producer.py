"""inline_producer: a producer's elements in the body of its reader."""

from __future__ import annotations

import pytest

from support.transforms.schedules import evaluate, inputs_of, parse_payload
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare
from tilewright.payloads import Payload, Scalar, elementwise, gather, index, reduce
from tilewright.pipeline import apply_schedule
from tilewright.schedules.schedule import Schedule

INLINE = """schedule s(root) {
  ops = match "linalg.generic" in root
  a, b = split_handle ops
  b = inline a into b
}"""


def squares(axis: int = 0) -> str:
    payload = Payload("f")
    x = payload.input("x", (8, 5), "f32")
    payload.output(reduce("sum", x * x, axis=axis))
    return payload.text()


def permuted() -> str:
    payload = Payload("f")
    x, v = payload.input("x", (8, 5), "f32"), payload.input("v", (5,), "f32")
    numbered = elementwise(lambda e, w: e * w + index(1).cast("f32"), x, v, dtype="f32")
    payload.output(elementwise(lambda p, q: p - q, numbered.T, x.T, dtype="f32"))
    return payload.text()


def twice() -> str:
    payload = Payload("f")
    x = payload.input("x", (8, 8), "f32")
    doubled = x + x
    payload.output(elementwise(lambda p, q: p - q, doubled, doubled.T, dtype="f32"))
    return payload.text()


def stored() -> str:
    payload = Payload("f")
    x = payload.input("x", (8, 5), "f32")
    doubled = x + x
    payload.output(doubled, reduce("sum", doubled, axis=1))
    return payload.text()


def rolled() -> str:
    payload = Payload("f")
    x, v = payload.input("x", (8, 5), "f32"), payload.input("v", (5,), "f32")
    scaled = elementwise(lambda e, w: e * w, x, v, dtype="f32")

    def next_row(i: Scalar, j: Scalar) -> Scalar:
        return gather(scaled, (i + 1) % 8, j)

    payload.output(payload.generate(next_row, (8, 5), "f32"))
    return payload.text()


def applied(text: str, schedule: str = INLINE):
    before = parse_payload(text)
    after = apply_schedule(before, Schedule.from_text(schedule), complete=False).payload
    inputs = inputs_of(before)
    for want, got in zip(
        evaluate(before, inputs), evaluate(after, inputs), strict=True
    ):
        assert compare(got, want, "f32", 8).ok
    return after


def test_inline(golden) -> None:
    golden("transforms/inline_producer.mlir", to_text(applied(squares())))


def test_elements_at_computed_indices(golden) -> None:
    golden("transforms/inline_producer_rolled.mlir", to_text(applied(rolled())))


@pytest.mark.parametrize("text", [squares(1), permuted(), twice(), rolled()])
def test_one_op_is_left(text) -> None:
    names = [op.name for op in applied(text).walk()]
    assert names.count("linalg.generic") == 1


def test_a_producer_that_is_read_elsewhere_stays() -> None:
    names = [op.name for op in applied(stored()).walk()]
    assert names.count("linalg.generic") == 2


def test_a_producer_that_stays_keeps_its_handle() -> None:
    after = applied(stored(), INLINE[:-1] + "  a, loop = tile a by [4]\n}")
    assert [op.name for op in after.walk()].count("scf.for") == 1


def test_a_second_producer() -> None:
    payload = Payload("f")
    x = payload.input("x", (8, 5), "f32")
    payload.output(reduce("sum", (x * x) + x, axis=0))
    schedule = """schedule s(root) {
  ops = match "linalg.generic" in root
  a, b, c = split_handle ops
  c = inline b into c
  c = inline a into c
}"""
    names = [op.name for op in applied(payload.text(), schedule).walk()]
    assert names.count("linalg.generic") == 1


@pytest.mark.parametrize(
    ("statement", "fact"),
    [
        ("b = inline b into a", "is no element-wise op with one result"),
        ("b = inline a into a", "does not read a result"),
        ("b = inline a into ops", "1 producers and 2 readers"),
    ],
)
def test_refusals(statement, fact) -> None:
    schedule = INLINE.replace("b = inline a into b", statement)
    with pytest.raises(SilenceableFailure, match=fact):
        applied(squares(), schedule)


def test_the_sum_of_a_broadcast_keeps_its_extent() -> None:
    text = """func.func @f(%v: tensor<8xf32>, %zero: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8x5xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<8xf32>) outs(%e : tensor<8x5xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<8x5xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<8x5xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %x, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}"""
    with pytest.raises(SilenceableFailure, match="the extent of loop 1"):
        applied(text)
