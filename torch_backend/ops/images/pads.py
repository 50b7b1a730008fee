"""Pads and parts of tensors, each a read at a computed indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.elements.promotion import converted
from tilewright.torch_backend.ops.indexing.reading import position, whole_of
from tilewright.torch_backend.ops.result import Result, refuse


def known(sizes: Sequence[object]) -> list[int]:
    """Sizes that are numbers."""
    found = [size for size in sizes if isinstance(size, int)]
    if len(found) != len(sizes):
        refuse("a size that is known only at run time")
    return found


def constant_pad(
    out: Result, x: Tensor, pad: Sequence[int], value: Number = 0
) -> Tensor:
    """A tensor with a pad of one number around it; negative widths cut it."""
    whole, sizes = whole_of(x), x.shape
    before = _before(x.rank, pad)
    padding = float(value) if is_float(out.dtype) else int(value)

    def element() -> ScalarLike:
        inside: Scalar | None = None
        places: list[ScalarLike] = []
        for axis, size in enumerate(sizes):
            if not before[axis] and out.shape[axis] == size:
                places.append(index(axis))
                continue
            at = position(axis, out.shape[axis], size) - before[axis]
            length = counted(size, at.dtype)
            here = (at >= 0) & (at < length)
            inside = here if inside is None else inside & here
            places.append(minimum(maximum(at, 0), length - 1))
        found = gather(whole, *places)
        if inside is None:
            return found
        return where(inside, found, found.body.constant(padding, found.dtype))

    return out.generate(element)


def _before(rank: int, pad: Sequence[int]) -> list[int]:
    """What a pad adds in front of each dimension; torch lists the last one first."""
    before = [0] * rank
    for place, width in enumerate(pad[::2]):
        before[rank - 1 - place] = width
    return before


def edge_pad(kind: str) -> Callable[..., Tensor]:
    """A pad that repeats the edge, or reflects the inside at it."""

    def op(out: Result, x: Tensor, pad: Sequence[int]) -> Tensor:
        whole = whole_of(x)
        before = _before(x.rank, pad)

        def place(axis: int) -> ScalarLike:
            if out.shape[axis] == x.shape[axis] and not before[axis]:
                return index(axis)
            at = position(axis, out.shape[axis], x.shape[axis]) - before[axis]
            size = counted(x.shape[axis], at.dtype)
            if kind == "reflect":
                at = where(at < 0, -at, at)
                at = where(at >= size, at * -1 + (size - 1) * 2, at)
            return minimum(maximum(at, 0), size - 1)

        return out.generate(lambda: gather(whole, *[place(a) for a in range(x.rank)]))

    return op


def rolled(
    out: Result, x: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()
) -> Tensor:
    """The elements along dimensions shifted around; without dimensions, of all."""
    if not dims:
        sizes = (prod(known(x.shape)),)
        flat = whole_of(reshape(x, sizes))
        (shift,) = shifts
        made = out.generate(
            lambda: gather(flat, _rolled_place(0, *sizes, shift)), sizes
        )
        return reshape(made, out.shape)
    whole, sizes = whole_of(x), known(x.shape)
    by = dict.fromkeys(range(x.rank), 0)
    for dim, shift in zip(dims, shifts, strict=True):
        by[axis_of(x, dim)] += shift
    return out.generate(
        lambda: gather(
            whole, *[_rolled_place(a, sizes[a], by[a]) for a in range(x.rank)]
        )
    )


def _rolled_place(axis: int, size: int, shift: int) -> ScalarLike:
    """Where the elements of a loop come from."""
    start = -shift % size
    if not start:
        return index(axis)
    at = position(axis, size) + start
    return where(at >= size, at - size, at)


def slice_scatter(
    out: Result,
    x: Tensor,
    source: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """A tensor with a slice along a dimension replaced."""
    axis = axis_of(x, dim)
    sizes = known(x.shape)
    first, last, by = slice(start, end, step).indices(sizes[axis])
    part = whole_of(source)
    count = len(range(first, last, by))

    def element(old: Scalar) -> ScalarLike:
        at = position(axis, sizes[axis]) - first
        inside = (at >= 0) & (at < (count - 1) * by + 1)
        inside = inside & (at % by == 0) if by > 1 else inside
        at = truncated_quotient(at, by) if by > 1 else at
        places: list[ScalarLike] = [index(a) for a in range(x.rank)]
        places[axis] = minimum(maximum(at, 0), count - 1)
        return where(inside, converted(gather(part, *places), out.dtype), old)

    return elementwise(element, x, dtype=out.dtype)


def select_scatter(out: Result, x: Tensor, source: Tensor, dim: int, at: int) -> Tensor:
    """A tensor with one index of a dimension replaced."""
    axis = axis_of(x, dim)
    place = at % known(x.shape)[axis]
    lines = source[tuple([slice(None)] * axis + [None])]

    def element(old: Scalar, new: Scalar) -> ScalarLike:
        here = index(axis).cast("i64") == place
        return where(here, converted(new, out.dtype), old)

    return elementwise(element, x, lines, dtype=out.dtype)


def diagonal(
    out: Result, x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """The diagonal of two dimensions, as the last one."""
    one, two = axis_of(x, dim1), axis_of(x, dim2)
    whole = whole_of(x)
    rest = [axis for axis in range(x.rank) if axis not in (one, two)]

    def element() -> ScalarLike:
        at = index(len(rest)).cast("i64")
        places: dict[int, ScalarLike] = {a: index(p) for p, a in enumerate(rest)}
        places[one] = at + max(-offset, 0)
        places[two] = at + max(offset, 0)
        return gather(whole, *[places[axis] for axis in range(x.rank)])

    return out.generate(element)


def diag_embed(
    out: Result, x: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1
) -> Tensor:
    """Matrices of zeros with the last dimension of a tensor on their diagonals."""
    rank = x.rank + 1
    row, column = dim1 % rank, dim2 % rank
    whole, (size,) = whole_of(x), known(x.shape[-1:])
    rest = [axis for axis in range(rank) if axis not in (row, column)]

    def element() -> ScalarLike:
        at = position(row, out.shape[row]) - max(-offset, 0)
        across = position(column, out.shape[column]) - max(offset, 0)
        inside = (at == across) & (at >= 0)
        front: list[ScalarLike] = [index(axis) for axis in rest]
        found = gather(whole, *front, minimum(maximum(at, 0), size - 1))
        return where(inside, found, found.body.constant(0, found.dtype))

    return out.generate(element)


TABLE: dict[str, Callable[..., object]] = {
    "aten.constant_pad_nd.default": constant_pad,
    **{
        f"aten.{kind}_pad{rank}d.default": edge_pad(verb)
        for kind, verb in (("reflection", "reflect"), ("replication", "repeat"))
        for rank in (1, 2, 3)
    },
    "aten.roll.default": rolled,
    "aten.slice_scatter.default": slice_scatter,
    "aten.select_scatter.default": select_scatter,
    "aten.diagonal.default": diagonal,
    "aten.diag_embed.default": diag_embed,
}
"""Pads and parts by name."""
