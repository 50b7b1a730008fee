"""What a schedule leaves open: plain kernels, and loops for long reductions."""

from __future__ import annotations

import pytest

from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planning.plain import grid_sizes, reduction_sizes
from tilewright.schedules.schedule import Schedule


def row_sums(columns: int) -> str:
    """Sums along rows."""
    return f"""
func.func @f(%x: tensor<6x{columns}xf32>) -> tensor<6xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce ins(%x : tensor<6x{columns}xf32>) outs(%init : tensor<6xf32>)
      dimensions = [1] (%a: f32, %b: f32) {{
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }}
  return %r : tensor<6xf32>
}}
"""


def checked(text: str, schedule: Schedule) -> Built:
    """The program, whose numbers are right."""
    made = build(parse_payload(text), schedule)
    outcome = check_kernel_ir(made, make_case(parse_payload(text), 0))
    assert outcome.ok, outcome.message
    return made


@pytest.mark.parametrize(
    "columns, loop", [(4096, None), (16384, None), (20000, "tile by [0, 4096]")]
)
def test_a_row_that_registers_hold_is_whole(columns: int, loop: str | None) -> None:
    made = checked(row_sums(columns), Schedule.empty())
    loops = [line for line in made.added if line.startswith("tile by [0")]
    assert [line.partition(":")[0] for line in loops] == (
        [] if loop is None else [loop]
    )
    assert len(made.program.kernels) == 1


@pytest.mark.parametrize("warps, loops", [(4, 1), (8, 0)])
def test_the_warps_of_a_grid_say_what_its_registers_hold(
    warps: int, loops: int
) -> None:
    text = f"""schedule s(root) {{
  sums = match "linalg.reduce" in root
  sums, grid = tile sums by [1] onto [block.x]
  launch grid warps = {warps}
}}"""
    made = checked(row_sums(20000), Schedule.from_text(text))
    added = [line for line in made.added if line.startswith("tile by [0, 4096]")]
    assert len(added) == loops


def test_a_loop_of_the_schedule_keeps_its_steps() -> None:
    text = """schedule s(root) {
  sums = match "linalg.reduce" in root
  sums, grid = tile sums by [1] onto [block.x]
  sums, loop = tile sums by [0, 32768]
}"""
    made = checked(row_sums(40000), Schedule.from_text(text))
    assert not [line for line in made.added if line.startswith("tile by [0")]
    assert "32768" in made.program.text


def sizes(payload: Payload) -> list[list[int]]:
    """The tiles of the ops of a payload that are no fills, and their steps."""
    ops = [
        op
        for op in parse_payload(payload.text()).walk()
        if isinstance(op, StructuredOp) and not isinstance(op, FillOp)
    ]
    return [each for op in ops for each in (grid_sizes(op), reduction_sizes(op))]


@pytest.mark.parametrize(
    ("shape", "tile"),
    [
        ((5000,), [1024]),
        (("n",), [1024]),
        ((1000, 1000), [64, 64]),
        (("n", 1000), [64, 64]),
        ((1000, 8), [512, 8]),
    ],
)
def test_tiles_of_element_wise_ops(
    shape: tuple[int | str, ...], tile: list[int]
) -> None:
    p = Payload("f")
    p.output(p.input("x", shape, "f32") + 1.0)
    assert sizes(p)[0] == tile


@pytest.mark.parametrize(("dtype", "step"), [("f16", 64), ("f32", 32)])
def test_tiles_of_matmuls(dtype: str, step: int) -> None:
    p = Payload("f")
    p.output(p.input("a", (500, 500), dtype) @ p.input("b", (500, 500), dtype))
    assert sizes(p) == [[64, 64, 0], [0, 0, step]]
