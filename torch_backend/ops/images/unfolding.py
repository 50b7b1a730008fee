"""Windows along a dimension as a dimension of their own: unfold."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.scalar import ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.views import materialized, reshape
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.places.reading import position
from tilewright.torch_backend.ops.result import Result, refuse


def unfold(out: Result, x: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension: their number in its place, their elements at the end."""
    if x.rank == 0:
        refuse("windows of a single number")
    axis, whole = axis_of(x, dimension), materialized(x)
    if size == step and x.shape[axis] == size * _number(out.shape[axis]):
        split = (*x.shape[:axis], out.shape[axis], size, *x.shape[axis + 1 :])
        rest = [at for at in range(x.rank + 1) if at != axis + 1]
        return reshape(x, split).transpose(*rest, axis + 1)

    def element() -> ScalarLike:
        places: list[ScalarLike] = [index(at) for at in range(x.rank)]
        sizes = (x.shape[axis], size)
        places[axis] = position(axis, *sizes) * step + position(x.rank, *sizes)
        return gather(whole, *places)

    return out.generate(element)


def _number(size: object) -> int:
    return size if isinstance(size, int) else -1


TABLE: dict[str, Callable[..., object]] = {"aten.unfold.default": unfold}
"""Windows by name."""
