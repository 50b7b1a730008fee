"""Views and shapes: reshapes, transposes, slices, concats, repeats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.loop_order import order_of, viewed
from tilewright.frontend.builder.ops.reshapes import drop_axis, reshape
from tilewright.frontend.builder.ops.views import (
    broadcast_to,
    concatenate,
    materialized,
    window,
)
from tilewright.frontend.builder.scalar import Scalar, counted, index
from tilewright.frontend.builder.sizes import Shape, Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    EmptyOp,
    ExpandShapeOp,
    ExtractSliceOp,
    InsertSliceOp,
)
from tilewright.torch_backend.ops.axes import axes_of, axis_of
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result, names_sizes, refuse


@names_sizes
def reshaped(out: Result, x: Tensor, *_: object, **__: object) -> Tensor:
    """The same numbers in the same order under the result's shape."""
    if x.shape == out.shape:
        return x
    if not out.shape:
        return _number(out, x)
    if not x.shape:
        return broadcast_to(x, out.shape)
    if _without_units(x.shape) == _without_units(out.shape) != ():
        return _other_units(x, out.shape)
    return reshape(x, out.shape)


def _without_units(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def _other_units(x: Tensor, shape: Shape) -> Tensor:
    """Dimensions of size 1 dropped and added; a transposed view stays a view."""
    for axis in reversed(range(x.rank)):
        if x.shape[axis] == 1:
            x = drop_axis(x, axis)
    return x[tuple(None if size == 1 else slice(None) for size in shape)]


def _number(out: Result, x: Tensor) -> Tensor:
    """A tensor of one element as one of rank 0: read, since a collapse keeps a rank."""
    whole = materialized(x)
    return out.generate(lambda: gather(whole, *[0] * x.rank), (), x.dtype)


def permuted(out: Result, x: Tensor, dims: Sequence[int]) -> Tensor:
    """The dimensions in another order."""
    return x.transpose(*[axis_of(x, dim) for dim in dims])


def transposed(out: Result, x: Tensor, first: int, second: int) -> Tensor:
    """Two dimensions exchanged."""
    if x.rank == 0:
        return x
    order = list(range(x.rank))
    one, two = axis_of(x, first), axis_of(x, second)
    order[one], order[two] = two, one
    return x.transpose(*order)


def matrix_transposed(out: Result, x: Tensor) -> Tensor:
    """The two dimensions of a matrix exchanged."""
    return x.T if x.rank == 2 else x


@names_sizes
def expanded(out: Result, x: Tensor, *_: object, **__: object) -> Tensor:
    """Dimensions of size 1 repeated."""
    return broadcast_to(x, out.shape)


@names_sizes
def part(
    out: Result,
    x: Tensor,
    dim: int = 0,
    start: Size | None = None,
    end: Size | None = None,
    step: Size = 1,
) -> Tensor:
    """Some elements along a dimension."""
    axis = axis_of(x, dim)
    size, count = x.shape[axis], out.shape[axis]
    if count == size and step == 1:
        return x
    if not isinstance(step, int):
        refuse("a step that is known only at run time")
    if isinstance(size, int) and not any(isinstance(s, str) for s in (start, end)):
        return _along(x, axis, slice(start, end, step))
    from_end = isinstance(start, int) and start < 0
    return _window(x, axis, [*([size] if from_end else []), start or 0], count, step)


def _window(
    x: Tensor, axis: int, start: Sequence[Size], count: Size, step: int = 1
) -> Tensor:
    """A part that begins at a sum of sizes."""
    if not start and step == 1 and count == x.shape[axis]:
        return x
    whole = materialized(x) if x.axes[axis] is None else x
    return window(whole, axis, start, count, step)


def _along(x: Tensor, axis: int, part: slice) -> Tensor:
    size = x.shape[axis]
    if part.step in (None, 1) and part.start in (None, 0) and _is_all(part.stop):
        return x
    if isinstance(size, int) and part.indices(size) == (0, size, 1):
        return x
    whole = materialized(x) if x.axes[axis] is None else x
    key = [slice(None)] * axis + [part]
    return whole[tuple(key)]


def _is_all(stop: int | None) -> bool:
    """Whether a slice ends where any dimension does; torch's end is 2^63 - 1."""
    return stop is None or stop == 2**63 - 1


@names_sizes
def selected(out: Result, x: Tensor, dim: int, at: Size) -> Tensor:
    """One index of a dimension, which the result does not have."""
    axis = axis_of(x, dim)
    size = x.shape[axis]
    if isinstance(size, int) and isinstance(at, int):
        at = at % size
        return reshaped(out, _along(x, axis, slice(at, at + 1)))
    from_end = isinstance(at, int) and at < 0
    return reshaped(out, _window(x, axis, [*([size] if from_end else []), at], 1))


@names_sizes
def pieces(out: Result, x: Tensor, sizes: object, dim: int = 0) -> list[Tensor]:
    """A tensor cut along a dimension."""
    axis = axis_of(x, dim)
    made: list[Tensor] = []
    before: list[Size] = []
    for spec in out.specs:
        assert spec is not None
        made.append(_window(x, axis, before, spec.shape[axis]))
        before.append(spec.shape[axis])
    return made


def unbound(out: Result, x: Tensor, dim: int = 0) -> list[Tensor]:
    """A tensor for each index of a dimension."""
    return [
        selected(Result(out.builder, (spec,)), x, dim, at)
        for at, spec in enumerate(out.specs)
    ]


def concatenated(out: Result, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors one after the other along a dimension; channels last if one lies so.

    A concat that only leaves the payload has the order of the payload's result: its
    parts are transposed on the way into it.
    """
    real = [one for one in tensors if one.shape != (0,)]
    parts = [one.cast(out.dtype) for one in real]
    axis = axis_of(parts[0], dim)
    taken: set[SSAValue] = set()
    order = next((o for o in map(order_of, parts) if o is not None), None)
    if order is not None:
        order = out.placed or order
        parts = [part.transpose(*order) for part in parts]
        axis = order.index(axis)
    if order is None and _is_interleaved(parts, axis):
        return _interleaved(parts)
    if order is not None and out.placed is not None:
        parts = [part.materialized() for part in parts]
    total = out.shape[axis_of(real[0], dim)]
    made = concatenate([_own(part, taken) for part in parts], axis, total)
    return made if order is None else viewed(made, order)


_INTERLEAVED_PARTS = 8
"""Each element of an interleaved concat computes all parts: more are copied."""


def _is_interleaved(parts: Sequence[Tensor], axis: int) -> bool:
    """Whether neighbours in memory come from different parts, as in a rotary embedding.

    Parts that are stored in their places would write single elements with gaps.
    """
    is_last = axis == parts[0].rank - 1 > 0
    is_few = 1 < len(parts) <= _INTERLEAVED_PARTS
    return is_last and is_few and all(part.shape[axis] == 1 for part in parts)


def _interleaved(parts: Sequence[Tensor]) -> Tensor:
    """Parts of size 1 along the last dimension, chosen by the place along it."""
    last = parts[0].rank - 1
    shape = (*parts[0].shape[:last], len(parts))

    def chosen(*elements: Scalar) -> Scalar:
        found = elements[-1]
        for place in reversed(range(len(elements) - 1)):
            found = where(index(last) == place, elements[place], found)
        return found

    return elementwise(chosen, *[broadcast_to(part, shape) for part in parts])


def _own(part: Tensor, taken: set[SSAValue]) -> Tensor:
    """A tensor that is computed where it is a part; what lies elsewhere is copied.

    The copy is an op like any other, and shares a kernel with its neighbours.
    """
    if len({axis for axis in part.axes if axis is not None}) < len(part.sizes):
        return part
    source = part.value
    while isinstance(source.owner, CollapseShapeOp | ExpandShapeOp):
        source = source.owner.operands[0]
    is_part = any(isinstance(use.operation, InsertSliceOp) for use in source.uses)
    is_elsewhere = isinstance(source, BlockArgument) or isinstance(
        source.owner, ExtractSliceOp | ConstantOp
    )
    if is_elsewhere or is_part or source in taken:
        copy = elementwise(lambda x: x, part).materialized()
        _move_up(copy, part)
        return copy
    taken.add(source)
    return part


def _move_up(copy: Tensor, part: Tensor) -> None:
    """Compute a copy right after what it copies, so that one kernel can store both."""
    made, source = copy.value.owner, part.value.owner
    block = made.parent if isinstance(made, Operation) else None
    if block is None or not isinstance(made, GenericOp):
        return
    empty = made.outputs[0].owner
    if isinstance(source, Operation) and isinstance(empty, EmptyOp):
        if empty.dynamic_sizes or source.parent is not block:
            return
        for op in (made, empty):
            op.detach()
            block.insert_op_after(op, source)


def unsqueezed(out: Result, x: Tensor, dim: int) -> Tensor:
    """A new dimension of size 1."""
    at = dim % (x.rank + 1)
    return x[tuple([slice(None)] * at + [None])]


@names_sizes
def repeated(out: Result, x: Tensor, repeats: Sequence[Size]) -> Tensor:
    """A tensor repeated along dimensions."""
    lead: tuple[Size, ...] = (1,) * (len(repeats) - x.rank)
    shape = (*lead, *x.shape)
    pairs = [size for pair in zip(repeats, shape, strict=True) for size in pair]
    ones = [size for each in shape for size in (1, each)]
    spread = broadcast_to(reshape(x, ones) if x.rank else x, tuple(pairs))
    return reshape(spread, out.shape)


def flipped(out: Result, x: Tensor, dims: Sequence[int]) -> Tensor:
    """The elements along dimensions in reverse."""
    turned = axes_of(x, dims) if dims else ()
    whole = whole_of(x)

    def place(axis: int) -> object:
        here = index(axis)
        if axis not in turned:
            return here
        return here * -1 + (counted(x.shape[axis], "index") - 1)

    return out.generate(lambda: gather(whole, *[place(a) for a in range(x.rank)]))  # pyright: ignore[reportArgumentType]


TABLE: dict[str, Callable[..., object]] = {
    "aten.view.default": reshaped,
    "aten.reshape.default": reshaped,
    "aten._unsafe_view.default": reshaped,
    "aten._reshape_alias.default": reshaped,
    "aten.squeeze.default": reshaped,
    "aten.squeeze.dim": reshaped,
    "aten.squeeze.dims": reshaped,
    "prims.squeeze.default": reshaped,
    "aten.unsqueeze.default": unsqueezed,
    "aten.permute.default": permuted,
    "aten.transpose.int": transposed,
    "aten.t.default": matrix_transposed,
    "aten.expand.default": expanded,
    "aten.slice.Tensor": part,
    "aten.select.int": selected,
    "aten.split.Tensor": pieces,
    "aten.split_with_sizes.default": pieces,
    "aten.unbind.int": unbound,
    "aten.cat.default": concatenated,
    "aten.repeat.default": repeated,
    "aten.flip.default": flipped,
}
"""Views and shapes by name."""

VIEWS = frozenset(
    f"aten.{name}"
    for name in (
        *("view.default", "_unsafe_view.default", "reshape.default"),
        *("squeeze.default", "squeeze.dim", "squeeze.dims", "unsqueeze.default"),
        *("permute.default", "transpose.int", "t.default", "expand.default"),
        *("slice.Tensor", "select.int", "split.Tensor", "split_with_sizes.default"),
        *("unbind.int", "alias.default", "detach.default", "_reshape_alias.default"),
        *("diagonal.default", "unfold.default"),
    )
)
"""Ops that torch does without moving data."""
