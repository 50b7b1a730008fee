"""tilewright.zero_points: quantized products are products of the numbers, corrected."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from support.windows import filled_window
from tilewright.codegen.targets import TARGETS
from tilewright.ir.dialects.linalg import WINDOW_OPS
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan

SCHEDULE = schedule_of(patterns("tilewright.zero_points"))
QUANTIZED = [
    name.removeprefix("linalg.") for name, op in WINDOW_OPS.items() if op.SCALARS
]
MATMUL = """
func.func @f(%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>, %za: i32, %zb: i32, %o: tensor<{m}x{n}xi32>) -> tensor<{m}x{n}xi32> {{
  %c0 = arith.constant 0 : i32
  %r = linalg.quantized_matmul ins(%a, %b, {za}, {zb} : tensor<{m}x{k}xi8>, tensor<{k}x{n}xi8>, i32, i32) outs(%o : tensor<{m}x{n}xi32>) -> tensor<{m}x{n}xi32>
  return %r : tensor<{m}x{n}xi32>
}}
"""  # noqa: E501
SIZES = {"m": 5, "k": 7, "n": 6}


@pytest.mark.parametrize(
    ("za", "zb", "sums"), [("%za", "%zb", 2), ("%za", "%c0", 1), ("%c0", "%c0", 0)]
)
def test_a_matmul_is_corrected_by_sums(za: str, zb: str, sums: int) -> None:
    ran = transform(MATMUL.format(za=za, zb=zb, **SIZES), SCHEDULE)
    assert_same_numbers(ran)
    assert "quantized_matmul" not in ran.text
    assert ran.text.count("linalg.fill") == sums
    assert ran.text.count("linalg.generic") == 1 + sums + (sums > 0)


@pytest.mark.parametrize("name", QUANTIZED)
def test_convolutions_give_the_same_numbers(name: str) -> None:
    ran = transform(filled_window(name), SCHEDULE)
    assert_same_numbers(ran)
    # Depthwise ones have no loop of their own for the filter: nothing is contracted.
    assert (f"linalg.{name}" in ran.text) == name.endswith("hwc_hwc_q")


def test_the_estimates_decide() -> None:
    target = TARGETS["h200"]
    large = MATMUL.format(za="%za", zb="%zb", m=2048, k=2048, n=2048)
    small = MATMUL.format(za="%za", zb="%zb", m=64, k=64, n=64)
    assert "zero_points" not in plan(parse_payload(small), target).text
    planned = plan(parse_payload(large), target)
    assert "tilewright.zero_points" in planned.text
    built = build(parse_payload(large), planned.schedule, {})
    assert "tl.dot" in built.program.text
