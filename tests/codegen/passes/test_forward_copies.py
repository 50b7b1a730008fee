"""`C += A B` reads C where it adds, and makes no copy of it first."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

SCHEDULE = """
schedule sum(root) {
  func = match "func.func" in root
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [32, 64] onto [block.y, block.x]
  mm, k = tile mm by [0, 0, 32]
  EXTRA
  vectorize mm to [32, 64, 32]
  include to_vectors(func)
  root = bufferize root
}
"""


def payload(m: int, n: int, k: int) -> str:
    c, a, b = f"tensor<{m}x{n}xf32>", f"tensor<{m}x{k}xf16>", f"tensor<{k}x{n}xf16>"
    return f"""
func.func @sum(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
  return %r : {c}
}}
"""


def made(text: str, extra: str = "") -> Built:
    schedule = Schedule.from_text(SCHEDULE.replace("EXTRA", extra), "sum.tw")
    return build(parse_payload(text), schedule)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "extra", ["", "descriptors grid", "launch grid persistent = 1"]
)
@pytest.mark.parametrize("sizes", [(64, 128, 64), (72, 136, 40)])
def test_the_original_is_read(sizes: tuple[int, int, int], extra: str) -> None:
    text = payload(*sizes)
    built = made(text, extra)
    assert "copy_" not in built.program.text
    question = make_case(parse_payload(text), 0)
    assert check_kernel_ir(built, question).ok
    ((found,),) = interpret_all([Job(built.program, question.inputs)])
    np.testing.assert_allclose(found, question.expected[0], rtol=1e-3, atol=1e-3)


def test_numbers_where_the_grid_reads_both() -> None:
    """Added to its own transpose: other tiles of C are read than are written."""
    text = """
func.func @twice(%c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%c : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""
    schedule = Schedule.from_text(
        """
schedule twice(root) {
  op = match "linalg.generic" in root
  op, grid = tile op by [32, 16] onto [block.y, block.x]
}
""",
        "twice.tw",
    )
    built = build(parse_payload(text), schedule)
    question = make_case(parse_payload(text), 0)
    assert check_kernel_ir(built, question).ok
    ((found,),) = interpret_all([Job(built.program, question.inputs)])
    np.testing.assert_array_equal(found, question.expected[0])


def test_a_part_that_is_not_written_is_copied() -> None:
    """The grid writes the upper half; the lower one is what C was."""
    text = """
func.func @half(%x: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %part = tensor.extract_slice %c[0, 0] [32, 64] [1, 1]
    : tensor<64x64xf32> to tensor<32x64xf32>
  %sum = linalg.add ins(%x, %part : tensor<32x64xf32>, tensor<32x64xf32>)
    outs(%part : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = tensor.insert_slice %sum into %c[0, 0] [32, 64] [1, 1]
    : tensor<32x64xf32> into tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""
    schedule = Schedule.from_text(
        """
schedule half(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [32, 32] onto [block.y, block.x]
}
""",
        "half.tw",
    )
    built = build(parse_payload(text), schedule)
    question = make_case(parse_payload(text), 0)
    assert check_kernel_ir(built, question).ok
    assert "copy_" in built.program.text
