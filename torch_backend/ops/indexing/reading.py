"""Tensors as kernels can read them at computed indices."""

from __future__ import annotations

from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.views import materialized
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.sliced_reads import is_readable
from tilewright.frontend.builder.tensor import Tensor


def whole_of(x: Tensor) -> Tensor:
    """A tensor, a view or a part that `gather` can read; other parts are copied."""
    plain = materialized(x) if None in x.axes else x
    return plain if is_readable(plain.value) else elementwise(lambda x: x, plain)


def position(loop: int, *sizes: object) -> Scalar:
    """The index of a loop, to compute places of a dimension of these sizes with.

    32 bits take half of the registers; places a few sizes outside must fit as well.
    """
    is_short = all(isinstance(size, int) and size < 2**28 for size in sizes)
    return index(loop).cast("i32" if is_short else "i64")
