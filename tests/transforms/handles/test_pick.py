"""`pick`: the ops of a handle at given positions."""

from __future__ import annotations

import pytest

from support.transforms.schedules import OP, refusal, schedule_of, transform
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule

PAYLOAD = """
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.reduce { arith.addf } ins(%mm : tensor<8x8xf32>)
      outs(%x : tensor<8x8xf32>) dimensions = []
  %t = linalg.transpose ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
      permutation = [1, 0]
  %s = linalg.softmax dimension(1) ins(%t : tensor<8x8xf32>)
      outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %g : tensor<8x8xf32>
}
"""

MATCH = (
    f"%ops = transform.structured.match interface{{LinalgOp}} in %root : ({OP}) -> {OP}"
)


def pick(positions: str) -> str:
    return f"%p = transform.tilewright.pick %ops at [{positions}] : ({OP}) -> {OP}"


def picked(positions: str) -> list[str]:
    each = [
        f"%o = transform.tilewright.pick %p at [{at}] : ({OP}) -> {OP}\n"
        f'transform.annotate %o "at{at}" : {OP}'
        for at in range(positions.count(",") + 1)
    ]
    each = [line.replace("%o", f"%o{at}") for at, line in enumerate(each)]
    text = transform(PAYLOAD, schedule_of(MATCH, pick(positions), *each)).text
    found: list[str] = []
    for at in range(len(each)):
        (line,) = (line for line in text.splitlines() if f"at{at}" in line)
        found.append(line.split("linalg.")[1].split()[0])
    return found


def test_every_structured_op_in_program_order() -> None:
    names = ["fill", "matmul", "reduce", "transpose", "generic"]
    assert picked("0, 1, 2, 3, 4") == names


def test_the_order_is_that_of_the_positions() -> None:
    assert picked("3, 0") == ["transpose", "fill"]


def test_negative_positions_count_from_the_end() -> None:
    assert picked("-1, -5, 1") == ["generic", "fill", "matmul"]


@pytest.mark.parametrize(
    "positions, fact",
    [
        ("5", "there is no op 5, the handle points at 5 ops; positions count from 0, "),
        ("1, 7", "there is no op 7, the handle points at 5 ops"),
        ("-6", "there is no op -6, the handle points at 5 ops"),
        ("2, 2", "lists a position twice"),
        ("", "lists no positions"),
    ],
)
def test_positions_that_are_not_there(positions: str, fact: str) -> None:
    assert fact in str(refusal(PAYLOAD, schedule_of(MATCH, pick(positions))))


SCHEDULE = """schedule s(root) {
  ops = match implementing [LinalgOp] in root
  mm = pick ops at [1]
  pair = pick ops at [3, 4]
  tiled, loop = tile mm by [4]
  annotate pair "last"
}
"""


def test_the_verb() -> None:
    schedule = Schedule.from_text(SCHEDULE)
    assert schedule.to_tw() == SCHEDULE
    again = Schedule.from_text(schedule.to_mlir(), "s.mlir")
    assert again.to_mlir() == schedule.to_mlir()
    applied = apply_schedule(parse_payload(PAYLOAD), schedule, complete=False)
    assert to_text(applied.payload).count("last") == 2


def test_the_picks_outlive_the_handle() -> None:
    """Consuming one pick makes the whole handle invalid, and no other pick."""
    with pytest.raises(UserError) as caught:
        Schedule.from_text(SCHEDULE.replace("annotate pair", "annotate ops"))
    assert "'ops'" in str(caught.value) and "consumed" in str(caught.value)
