"""Parts of buffers as operands of a library: views of torch, where strides serve."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.codegen.programs import assert_right, built
from tilewright.ir.errors import SilenceableFailure
from tilewright.payloads import Payload, Tensor, matmul

SCHEDULE = """
schedule handed(root) {
  product = match "linalg.OP" in root
  library product by "cublas"
}
"""


def payload(
    shape: tuple[int, ...],
    part: Callable[[Tensor], Tensor],
    other: tuple[int, ...],
) -> str:
    p = Payload("f")
    x, w = p.input("x", shape, "f32"), p.input("w", other, "f32")
    p.output(matmul(part(x), w))
    return p.text()


@pytest.mark.parametrize(
    ("shape", "part", "other", "call"),
    [
        ((9, 20), lambda x: x[:, 3:11], (8, 5), "torch.mm(x[:, 3:11], w)"),
        ((20, 9), lambda x: x[3:11].T, (8, 5), "torch.mm(x[3:11].mT, w)"),
        ((4, 9, 8), lambda x: x[1:3], (2, 8, 5), "torch.bmm(x[1:3], w)"),
        # Rows of the part lie behind each other.
        ((4, 9, 8), lambda x: x[1:3], (8, 5), "torch.mm(x[1:3].flatten(0, 1), w, "),
    ],
)
def test_a_window_is_a_view(
    shape: tuple[int, ...],
    part: Callable[[Tensor], Tensor],
    other: tuple[int, ...],
    call: str,
) -> None:
    text = payload(shape, part, other)
    op = "batch_matmul" if len(shape) == 3 else "matmul"
    program = assert_right(text, SCHEDULE.replace("OP", op)).program
    assert program.kernels == ()
    assert call in program.text


def test_rows_that_lie_apart_are_not_merged() -> None:
    text = payload((4, 9, 8), lambda x: x[:, 1:3], (8, 5))
    with pytest.raises(SilenceableFailure, match="a part of a buffer"):
        built(text, SCHEDULE.replace("OP", "batch_matmul"))
