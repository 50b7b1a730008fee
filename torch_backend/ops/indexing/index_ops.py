"""Reads at indices that other tensors hold: embedding, gather, index_select."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.ops.elements import elementwise, named_elementwise
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result, refuse


def wrapped(at: Scalar, size: Size) -> Scalar:
    """An index counted from the front; negative ones count from the end."""
    at = at.cast("i64")
    return where(at < 0, at + counted(size, "i64"), at)


def embedding(
    out: Result,
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """A row of the weight for each index."""
    table = whole_of(weight)

    def row(at: Scalar) -> ScalarLike:
        return gather(table, at, index(-1))

    return elementwise(
        row, broadcast_to(indices[..., None], out.shape), dtype=out.dtype
    )


def index_select(out: Result, x: Tensor, dim: int, indices: Tensor) -> Tensor:
    """The parts of a tensor along a dimension that indices name."""
    if x.rank == 0:
        return x
    names = indices if indices.rank else indices[None]
    return index_tensor(out, x, [*[None] * axis_of(x, dim), names])


def gather_along(
    out: Result, x: Tensor, dim: int, indices: Tensor, *, sparse_grad: bool = False
) -> Tensor:
    """Elements whose index along a dimension another tensor holds."""
    if x.rank == 0 or indices.rank == 0:
        refuse("a gather of or by a single number")
    axis, whole = axis_of(x, dim), whole_of(x)

    def chosen(at: Scalar) -> ScalarLike:
        places = [index(a) for a in range(x.rank)]
        places[axis] = wrapped(at, x.shape[axis])
        return gather(whole, *places)

    return elementwise(chosen, indices, dtype=out.dtype)


def index_tensor(out: Result, x: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """`x[i, :, j]`: tensors of indices broadcast together."""
    given = [place for place, one in enumerate(indices) if one is not None]
    tensors = [one for one in indices if one is not None]
    if any(one.dtype == "i1" for one in tensors):
        refuse("indices that are masks: the size of the result depends on them")
    rank = max(one.rank for one in tensors)
    together = given == list(range(given[0], given[-1] + 1))
    first = given[0] if together else 0
    whole = whole_of(x)

    def element(*names: Scalar) -> ScalarLike:
        loops = [index(a) for a in range(len(out.shape))]
        rest = iter(loops[:first] + loops[first + rank :])
        found = {
            place: wrapped(name, x.shape[place])
            for place, name in zip(given, names, strict=True)
        }
        return gather(
            whole, *[found[a] if a in found else next(rest) for a in range(x.rank)]
        )

    if out.order is not None:
        # The loops of a channels-last image run in its order, whatever indices have.
        names = [whole_of(one) for one in tensors]
        inner = range(first, first + rank)
        return out.generate(
            lambda: element(*[_broadcast_read(name, inner) for name in names])
        )
    # A reduction reads them as operands, which have its loops.
    after = [None] * (len(out.shape) - first - rank)
    spread = {f"at{n}": one[(..., *after)] for n, one in enumerate(tensors)}
    return named_elementwise(
        "index", lambda at: element(*at.values()), spread, out.dtype, out.shape
    )


def _broadcast_read(names: Tensor, loops: Sequence[int]) -> Scalar:
    """The element of a tensor that broadcasts along the loops."""
    own = loops[len(loops) - names.rank :]
    places: list[ScalarLike] = [
        0 if size == 1 else index(loop)
        for size, loop in zip(names.shape, own, strict=True)
    ]
    return gather(names, *places)


TABLE: dict[str, Callable[..., object]] = {
    "aten.embedding.default": embedding,
    "aten.index_select.default": index_select,
    "aten.gather.default": gather_along,
    "aten.index.Tensor": index_tensor,
}
"""Reads at computed indices by name."""
