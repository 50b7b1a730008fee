"""The outline of a payload: loops and the ops in them, a line each."""

from __future__ import annotations

from support.paths import EXAMPLES
from tilewright.ir.outline import outline, outline_text
from tilewright.pipeline import apply_schedule, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule

DEMO = EXAMPLES / "demo"


def after(structure: str) -> str:
    payload = read_payload(DEMO / "payload.mlir")
    schedule = Schedule.from_path(DEMO / "softcap.tw")
    point = {"structure": structure}
    return outline_text(
        apply_schedule(payload, schedule, point, complete=False).payload
    )


def test_a_payload_has_a_line_for_each_op() -> None:
    lines = outline(read_payload(DEMO / "payload.mlir"))
    assert [line.name for line in lines] == [
        *("product", "scores", "largest", "exponential"),
        *("total", "softmax", "product", "cast"),
    ]
    assert lines[1].what == "mulf, tanh, mulf(product)"
    assert lines[2].what == "reduce maximumf(scores)"
    assert lines[2].type == "32x4096xf32"


def test_loops_are_shown_with_what_they_carry() -> None:
    text = after("streamed")
    assert text.startswith(
        "grid of 32 x 64\n"
        "  loop over 4096 by 64, carries largest, total, product\n"
        "    product      batch_matmul(q, k)"
    )
    assert text.count("grid of") == 1


def test_ops_that_nobody_uses_are_left_out() -> None:
    """After `stream` the payload's own ops are still there, without a use."""
    assert "32x4096x4096" not in after("streamed")


def test_every_grid_of_a_program_is_shown() -> None:
    text = after("stored")
    assert text.count("grid of") == 3
    assert "loop over 4096 by 64, carries product" in text


def test_a_payload_without_tensors_has_no_lines() -> None:
    payload = parse_payload("func.func @f(%x: f32) -> f32 { return %x : f32 }")
    assert outline_text(payload) == ""


def test_open_sizes_are_question_marks() -> None:
    payload = parse_payload("""
func.func @f(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.exp ins(%x : tensor<?x4xf32>)
    outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}""")
    assert outline_text(payload) == "r  exp(x)  ?x4xf32"
