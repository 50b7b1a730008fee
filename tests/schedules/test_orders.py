"""Open orders: `permute` of steps and of loops."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ir.interpreter import run
from tilewright.numeric_check import make_case
from tilewright.payloads import Payload, relu
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.tuning.space.read import read_space

TEXT = """
schedule s(root) {
  mm   = match contraction in root
  fill = match fill in root
  out  = match elementwise in root at [-1]
  order = permute [0, 1]
  out, grid = tile out by [32, 32] onto [block.y, block.x]
  mm, grid = permute steps {
    product { mm, grid = fuse mm into grid }
    start   { suppress grid { fill, grid = fuse fill into grid } }
  }
  mm, i, j = tile mm by [16, 16] interchange order
  require steps == product_start or order == p_0_1
}
"""
ORDERS = [
    ("product_start", "p_0_1"),
    ("product_start", "p_1_0"),
    ("start_product", "p_0_1"),
]


def test_a_branch_for_each_order() -> None:
    read = Schedule.from_text(TEXT)
    assert read.defaults({}) == {"steps": "product_start", "order": "p_0_1"}
    points = {(p["steps"], p["order"]) for p in read_space(read.module).points()}
    assert points == set(ORDERS)
    text = read.to_tw()
    assert Schedule.from_text(text).to_tw() == text
    assert "interchange [1, 0]" in text


@pytest.mark.parametrize("steps, order", ORDERS)
def test_numbers(steps: str, order: str) -> None:
    p = Payload("product")
    a, b = p.input("a", (64, 32), "f32"), p.input("b", (32, 64), "f32")
    p.output(relu(a @ b))
    payload = parse_payload(p.text())
    read = Schedule.from_text(TEXT)
    applied = apply_schedule(
        payload, read, {"steps": steps, "order": order}, complete=False
    )
    inputs = list(make_case(payload, 1).inputs)
    for found, want in zip(
        run(applied.payload, inputs), run(payload, inputs), strict=True
    ):
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)


def test_three_loops_have_six_orders() -> None:
    read = Schedule.from_text(
        "schedule s(root) { o = permute [0, 1, 2]; m = match contraction in root\n"
        "m, i, j, k = tile m by [8, 8, 8] interchange o }"
    )
    (choice,) = read.open_choices()
    assert len(choice.options) == 6 and choice.default == "p_0_1_2"


@pytest.mark.parametrize(
    "body, expected",
    [
        (
            "permute s { a { } }",
            "s.tw:2:1: error: permute: it puts 2 to 4 steps in order, not 1; "
            "write the statements alone",
        ),
        (
            "permute s { a { tile rot by [1] } b { cse root } }",
            "s.tw:2:22: error: unknown name 'rot'; did you mean 'root'?",
        ),
        (
            "o = permute [x, 1]",
            "s.tw:2:14: error: permute: expected the number of a loop; "
            "write: o = permute [0, 1, 2]",
        ),
        (
            "o = permute [0, 1, 2, 3, 4]",
            "s.tw:2:5: error: permute: it puts 2 to 4 loops in order, not 5; "
            "there would be too many orders; fix the place of some loops",
        ),
        (
            "x = permute s { a { } b { } }",
            "s.tw:2:1: error: unknown name 'x'; bind it first: x = match ... in root",
        ),
    ],
)
def test_mistakes(body: str, expected: str) -> None:
    (found,) = check_text(f"schedule s(root) {{\n{body}\n}}", "s.tw")
    assert str(found).splitlines()[0] == expected
