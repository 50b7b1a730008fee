"""Reads at index expressions as reads along loops, of a view of the tensor.

    x[i * 4 + j]                  expand_shape(x)[i, j]
    x[i floordiv 4, i mod 4]      collapse_shape(x)[i]
    x[2 * i + 1, 3]               extract_slice(x)[i]

A kernel loads a tile of a view at once. An element at other indices is gathered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.tensor import reassociation_of
from tilewright.ir.indexing.linear import Linear, linear_form
from tilewright.ir.indexing.normal_form import constant
from tilewright.ir.structured.movement import Indices, whole_index
from tilewright.ir.types import element_type, tensor_type

Groups = list[list[int]]


@dataclass(frozen=True)
class ViewRead:
    """A view of a tensor, the ops that make it, and where an element of it is."""

    ops: tuple[Operation, ...]
    value: SSAValue
    at: Indices

    def erase(self) -> None:
        """Drop the ops, which are nowhere yet."""
        for op in reversed(self.ops):
            op.erase()


@dataclass(frozen=True)
class _Part:
    """A slice of a dimension of some size, along a loop or at one index."""

    size: int
    start: int
    count: int
    step: int
    loop: int | None

    @property
    def is_whole(self) -> bool:
        return (self.start, self.count, self.step) == (0, self.size, 1)

    @property
    def is_dropped(self) -> bool:
        return self.loop is None and self.size != 1


def view_read(
    value: SSAValue, at: Indices, extents: Sequence[int], reader: Operation
) -> ViewRead | None:
    """A read along loops of a view, for a reader; None if no view has the elements so.

    Readers share a view that is there: kernels see that they read the same tensor.
    """
    shape = tensor_type(value).get_shape()
    if DYNAMIC_INDEX in shape:
        return None
    groups, merged = _merged(shape, at)
    parts: list[list[_Part]] = []
    for dims, index in zip(groups, merged, strict=True):
        form = linear_form(index)
        size = math.prod(shape[dim] for dim in dims)
        found = None if form is None else _parts(size, form, extents)
        if found is None:
            return None
        parts.append(found)
    flat = [part for found in parts for part in found]
    loops = [part.loop for part in flat if part.loop is not None]
    if len(set(loops)) < len(loops):
        return None
    return _built(value, groups, parts, reader)


def _merged(shape: Sequence[int], at: Indices) -> tuple[Groups, list[AffineExpr]]:
    """Dimensions that one index runs through, as one, and the indices."""
    groups, indices = [[dim] for dim in range(len(shape))], list(at)
    place = len(groups) - 2
    while place >= 0:
        size = math.prod(shape[dim] for dim in groups[place + 1])
        whole = whole_index(indices[place], indices[place + 1], size)
        if whole is not None:
            groups[place : place + 2] = [groups[place] + groups[place + 1]]
            indices[place : place + 2] = [whole]
        place -= 1
    return groups, indices


def _parts(size: int, form: Linear[int], extents: Sequence[int]) -> list[_Part] | None:
    """A dimension as dimensions that a loop runs along each, the outermost first."""
    terms = sorted(form.terms.items(), key=lambda term: (-term[1], term[0]))
    if not terms:
        return [_Part(size, form.constant, 1, 1, None)]
    if min(factor for _, factor in terms) < 1 or min(extents[t[0]] for t in terms) < 1:
        return None
    (outer, inner), *rest = terms
    if not rest:
        return [_Part(size, form.constant, extents[outer], inner, outer)]
    step = inner
    for loop, factor in rest:
        if step != factor * extents[loop]:
            return None
        step = factor
    if step != 1 or size % inner or form.constant % inner:
        return None
    first = _Part(size // inner, form.constant // inner, extents[outer], 1, outer)
    return [first, *(_Part(extents[n], 0, extents[n], 1, n) for n, _ in rest)]


def _built(
    value: SSAValue, groups: Groups, parts: list[list[_Part]], reader: Operation
) -> ViewRead:
    """The ops of a view: a collapse, an expansion and a slice, as far as needed."""
    ops: list[Operation] = []
    kind, name = element_type(value.type), value.name_hint

    def add(op: Operation) -> None:
        nonlocal value
        if (same := _same_before(op, value, reader)) is not None:
            op.erase()
            value = same.results[0]
            return
        ops.append(op)
        value = op.results[0]
        value.name_hint = name

    sizes = [math.prod(part.size for part in found) for found in parts]
    if any(len(dims) > 1 for dims in groups):
        made = TensorType(kind, sizes)
        add(tensor.CollapseShapeOp(value, reassociation_of(groups), made))
    flat = [part for found in parts for part in found]
    if len(flat) > len(parts):
        dims, split = iter(range(len(flat))), list[list[int]]()
        for found in parts:
            split.append([next(dims) for _ in found])
        shape = [part.size for part in flat]
        made = TensorType(kind, shape)
        add(tensor.ExpandShapeOp(value, [], reassociation_of(split), shape, made))
    kept = [part for part in flat if not part.is_dropped]
    if not all(part.is_whole for part in flat):
        add(
            tensor.ExtractSliceOp(
                value,
                [part.start for part in flat],
                [part.count for part in flat],
                [part.step for part in flat],
                TensorType(kind, [part.count for part in kept]),
            )
        )
    at = [constant(0) if p.loop is None else AffineDimExpr(p.loop) for p in kept]
    return ViewRead(tuple(ops), value, tuple(at))


def _same_before(op: Operation, value: SSAValue, reader: Operation) -> Operation | None:
    """A view of a value like `op` that a reader can use."""
    for use in value.uses:
        other = use.operation
        if (
            other is not op
            and type(other) is type(op)
            and other.properties == op.properties
            and other.result_types == op.result_types
            and other.parent is reader.parent
            and other.is_before_in_block(reader)
        ):
            return other
    return None
