"""Mean and sum of squared deviations, of large tensors in one pass over memory.

The deviations need the mean, so that two sums read everything twice. A part of a row
that a program holds has its own sum and its own squared deviations in one pass. Parts
are combined exactly: their squares, and the squared distances of their means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.ir import Block

from tilewright.frontend.builder.ops.reductions import divided, reduce, with_units
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.tensor import CollapseShapeOp, ExpandShapeOp
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.elements.promotion import converted

LARGE = 64 << 20
"""The bytes of a tensor that no L2 cache keeps for a second pass."""
LONGEST, SHORTEST = 8192, 1024
"""The elements of a part: a program holds it, and parts are few."""
WHOLE_ROW = 16384
"""A row of this length is held whole."""


def by_parts(x: Tensor, axes: Sequence[int], kind: str) -> tuple[Tensor, Tensor] | None:
    """The mean and the sum of squared deviations along axes, computed in a type.

    None if two sums are as good.
    """
    length = _part(x, axes)
    return None if length is None else _by_parts(x, axes, kind, length)


def _part(x: Tensor, axes: Sequence[int]) -> int | None:
    """The length of a part; None if nothing is cut.

    Only what the payload is given is cut: computed elements would have to be stored.
    """
    sizes = [size for size in x.shape if isinstance(size, int)]
    if len(sizes) < x.rank or x.axes != tuple(range(x.rank)):
        return None
    owner = x.value.owner
    while isinstance(owner, CollapseShapeOp | ExpandShapeOp):
        owner = owner.operands[0].owner
    if not isinstance(owner, Block):
        return None
    width = element(x.dtype).byte_width
    run = math.prod(sizes[_first_of_run(x, axes) :])
    is_row = len(axes) == x.rank - _first_of_run(x, axes)
    if math.prod(sizes) * width < LARGE or (is_row and run <= WHOLE_ROW):
        return None
    fitting = [
        n
        for n in range(SHORTEST, min(LONGEST, run) + 1)
        if run % n == 0 and n * width % 16 == 0
    ]
    return max(fitting, default=None)


def _first_of_run(x: Tensor, axes: Sequence[int]) -> int:
    """The first of the last dimensions that are all reduced."""
    first = x.rank
    while first - 1 in axes:
        first -= 1
    return first


def _by_parts(
    x: Tensor, axes: Sequence[int], kind: str, length: int
) -> tuple[Tensor, Tensor]:
    """As `mean_and_squares`, from parts of the last dimensions."""
    first = _first_of_run(x, axes)
    run = math.prod(size for size in x.shape[first:] if isinstance(size, int))
    parts = reshape(x, (*x.shape[:first], run // length, length))
    last = parts.rank - 1
    rest = [*(axis for axis in axes if axis < first), first]
    count = math.prod(s for axis in axes if isinstance(s := x.shape[axis], int))

    def itself(x: Scalar) -> Scalar:
        return _in(x, kind)

    def squared(x: Scalar, total: Scalar) -> Scalar:
        away = _in(x, kind) - total * (1.0 / length)
        return away * away

    def combined(squares: Scalar, part: Scalar, total: Scalar) -> Scalar:
        away = part * (1.0 / length) - total * (1.0 / count)
        return squares + away * away * float(length)

    # The bodies divide: a mean of its own would keep the two sums apart.
    own = reduce("sum", parts, axis=last, of=itself)
    far = reduce("sum", parts, with_units(own, (last,)), axis=last, of=squared)
    total = reduce("sum", own, axis=rest)
    squares = reduce("sum", far, own, with_units(total, rest), axis=rest, of=combined)
    return divided(total, [count]), squares


def _in(x: Scalar, kind: str) -> Scalar:
    made = converted(x, kind)
    assert isinstance(made, Scalar)
    return made
