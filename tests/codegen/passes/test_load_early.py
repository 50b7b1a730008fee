"""Loads are ahead of the stores before them, as far as registers allow."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.frontend.builder import Payload
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

SIBLINGS = """
schedule siblings(root) {
  ops = match implementing [LinalgOp] in root
  one = pick ops at [0]
  two = pick ops at [1]
  one, grid = tile one by [SIZE] onto [block.x]
  two, other = tile two by [SIZE] onto [block.x]
  grid = fuse_sibling other into grid
  launch grid warps = 1
}
"""


@pytest.mark.parametrize(
    "size, order",
    [(64, "load load store store"), (4096, "load store load store")],
)
def test_a_load_passes_a_store(size: int, order: str) -> None:
    """A thread has 2 elements of each tile, or 128, which are too many registers."""
    payload = Payload("two")
    x = payload.input("x", [2 * size], "f32")
    y = payload.input("y", [2 * size], "f32")
    payload.output(x * 2.0)
    payload.output(y + 1.0)
    module = parse_payload(payload.text())
    text = SIBLINGS.replace("SIZE", str(size))
    built = build(module, Schedule.from_text(text, "s.tw"))
    found = re.findall(r"tl\.(load|store)\(", built.program.text)
    assert " ".join(found) == order
    question = make_case(module, 0)
    assert check_kernel_ir(built, question).ok
    (results,) = interpret_all([Job(built.program, question.inputs)])
    for one, expected in zip(results, question.expected, strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-6)
