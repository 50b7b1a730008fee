"""Element-wise ops around a reshape run in the loops of the reductions beside it.

`tilewright.flat_elements`. A linear layer of a batch multiplies a matrix of all rows,
and what follows sees the batch again:

    %p = linalg.matmul ... -> tensor<4096x64xf32>
    %e = tensor.expand_shape %p [[0, 1], [2]] ... into tensor<8x512x64xf32>
    %r = linalg.generic ... ins(%e) { relu } -> tensor<8x512x64xf32>
    %c = tensor.collapse_shape %r [[0, 1], [2]] ... into tensor<4096x64xf32>

The op reads the matrix instead, so that a kernel or a library computes both; so does
one behind the reshape of a reduction's results, and of what is computed with them. What
others read, too, is not computed twice. The op stays where a reader needs the longer
shape, such as a norm of rows: that is fused with its reader. An op on a group norm,
whose rows are collapsed to channels, runs along the rows likewise, and one on shuffled
pixels where they are still apart. So does a transposition of what another one gave
fewer dimensions, which makes one copy of two.

Before a reshape it is the other way around. A norm of heads or of groups of channels
reduces rows that what it reads does not have yet:

    %a = linalg.generic ... ins(%x, %y) { addf } -> tensor<8x512x768xf32>
    %e = tensor.expand_shape %a [[0], [1], [2, 3]] ... into tensor<8x512x12x64xf32>
    %s = linalg.generic ... ins(%e) { addf } -> tensor<8x512x12xf32>

The sum of `%x` and `%y` runs along the rows, so that the kernel which holds them can
compute it. What reads `%a` itself reads a reshape of it. The op stays if it follows a
product or a reduction: then its kernel is theirs. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import func, tensor
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    StructuredOp,
    TransposeOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.bodies import is_elementwise, yielded
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.inlining import Elements, indices_of, producer_of
from tilewright.ir.structured.maps import is_projection_or_zero
from tilewright.ir.structured.movement import (
    Indices,
    behind_views,
    indices_behind,
    reshaped_indices,
    view_of,
)
from tilewright.ir.structured.view_reads import view_read
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.tensor.reshapes import merge_dims
from tilewright.transforms.cleanup.shapes import shape_of, with_shape
from tilewright.transforms.core.rewriter import Rewriter

Groups = Sequence[Sequence[int]]


@dataclass(frozen=True)
class FlatLoops:
    """The loops that an op has where an operand is not yet reshaped."""

    value: SSAValue
    """The operand."""
    extents: tuple[int, ...]
    merged: Groups | None = None
    """For each dimension of the result, the loops that are one in it; None if the
    result is reshaped as the operand is."""


@pattern(StructuredOp)
def flatten_elements(op: StructuredOp, rewriter: Rewriter) -> None:
    """Compute elements where they are before a reshape, and reshape them afterwards."""
    flat = flat_loops(op)
    if flat is None:
        return
    bases = {*map(_source, op.inputs)}
    body = Elements(op, flat.extents, lambda each: each in bases)
    for base in bases:
        if _is_read_elsewhere(base, op) and tuple(shape_of(base)) == flat.extents:
            body.operand(base, AffineMap.identity(body.rank))
    new = _inserted(_in_loops(op, body), op, rewriter)
    reshapes = (
        _reshapes(flat.value, new)
        if flat.merged is None
        else merge_dims(new.results[0], flat.merged, tensor_type(op.results[0]))
    )
    rewriter.replace_with(op, *reshapes)


@pattern(GenericOp)
def expand_elements(op: GenericOp, rewriter: Rewriter) -> None:
    """Compute elements along the rows that are reduced behind a reshape."""
    rows = reduced_rows(op)
    if rows is None:
        return
    (result,) = op.results
    bases = {*map(_source, op.inputs)}
    body = Elements(
        op,
        shape_of(rows),
        lambda each: each in bases and producer_of(each) is None,
    )
    made = _in_loops(op, body)
    if flat_loops(made[-1]) is not None:
        # What is before its operands asks for the loops that it has.
        for each in reversed(made):
            each.erase()
        return
    new = _inserted(made, op, rewriter)
    for value in list(_reshaped(result)):
        if shape_of(value) == shape_of(rows):
            rewriter.replace_uses(value, new.results[0])
    back = _reshapes_back(rows, new)
    rewriter.replace_with(op, *back)


def _in_loops(op: StructuredOp, body: Elements) -> list[Operation]:
    """An op that computes the same elements in other loops, behind what it reads."""
    shape, kind = body.extents, tensor_type(op.results[0])
    values = body.copied(op, reshaped_indices(shape, kind.get_shape()))
    (made,) = yielded(op)
    body.block.add_op(YieldOp(values.get(made, made)))
    body.block.insert_arg(kind.element_type, len(body.block.args))
    empty = tensor.EmptyOp([], with_shape(kind, shape))
    new = GenericOp(
        body.inputs,
        [empty.results[0]],
        Region(body.block),
        maps_attribute([*body.maps, AffineMap.identity(len(shape))]),
        iterators(len(shape)),
        [with_shape(kind, shape)],
    )
    new.location = op.location
    new.results[0].name_hint = op.results[0].name_hint
    return [*body.views, empty, new]


def _inserted(
    made: Sequence[Operation], op: Operation, rewriter: Rewriter
) -> Operation:
    """The last of some new ops, which stand before an op now."""
    rewriter.insert_before(op, *made)
    return made[-1]


def _reshapes(value: SSAValue, new: Operation) -> list[Operation]:
    """The reshapes behind a value, of the result of a new op instead."""
    chain: list[Operation] = []
    while isinstance(
        view := value.owner, tensor.ExpandShapeOp | tensor.CollapseShapeOp
    ):
        chain.insert(0, view)
        value = view.operands[0]
    made: list[Operation] = []
    result, element = new.results[0], tensor_type(new.results[0]).element_type
    for view in chain:
        kind = tensor_type(view.results[0])
        made.append(
            type(view).create(
                operands=[result],
                result_types=[type(kind)(element, kind.get_shape())],
                properties=view.properties.copy(),
            )
        )
        result = made[-1].results[0]
    return made


def _reshapes_back(value: SSAValue, new: Operation) -> list[Operation]:
    """The reshapes of a new op that undo those behind a value; the last one is first.

    The new op has the shape of the value.
    """
    made: list[Operation] = []
    result, element = new.results[0], tensor_type(new.results[0]).element_type
    while isinstance(
        view := value.owner, tensor.ExpandShapeOp | tensor.CollapseShapeOp
    ):
        value = view.operands[0]
        shape = shape_of(value)
        kind = TensorType(element, shape)
        made.append(
            tensor.CollapseShapeOp(result, view.reassociation, kind)
            if isinstance(view, tensor.ExpandShapeOp)
            else tensor.ExpandShapeOp(result, [], view.reassociation, shape, kind)
        )
        result = made[-1].results[0]
    return made


def reduced_rows(op: Operation | Block) -> SSAValue | None:
    """A reshape of an op's result whose rows are reduced, if the op should have them.

    None if reductions read it under several shapes.
    """
    if not isinstance(op, GenericOp) or not _is_plain(op) or _is_behind_sums(op):
        return None
    found = [value for value in _reshaped(op.results[0]) if _is_reduced(value)]
    if len({tuple(shape_of(value)) for value in found}) != 1:
        return None
    (first, *_) = found
    is_other = shape_of(first) != shape_of(op.results[0])
    return first if is_other and _fits(op, shape_of(first)) else None


def _reshaped(value: SSAValue) -> Iterator[SSAValue]:
    """A tensor, and what reshapes make of it."""
    yield value
    for use in value.uses:
        if isinstance(use.operation, tensor.ExpandShapeOp | tensor.CollapseShapeOp):
            if view_of(use.operation.results[0]) is not None:
                yield from _reshaped(use.operation.results[0])


def _is_reduced(value: SSAValue) -> bool:
    """Whether a reduction, but no product, reads what is computed from a tensor."""
    for use in value.uses:
        reader = use.operation
        if not isinstance(reader, StructuredOp) or len(reader.results) != 1:
            continue
        if use.index >= len(reader.inputs):
            continue
        if is_elementwise(reader):
            if _is_plain(reader) and _is_reduced(reader.results[0]):
                return True
        elif product_of(reader) is None:
            return True
    return False


def _is_behind_sums(op: GenericOp) -> bool:
    """Whether a tensor as large as the result is computed by a reduction."""
    for value in op.inputs:
        owner = behind_views(value).owner
        if not isinstance(owner, StructuredOp) or not is_tensor(value.type):
            continue
        if prod(shape_of(value)) < prod(shape_of(op.results[0])):
            continue
        if not is_elementwise(owner):
            return True
        if isinstance(owner, GenericOp) and _is_behind_sums(owner):
            return True
    return False


def _source(value: SSAValue) -> SSAValue:
    """The tensor of known sizes that reshapes make a value of."""
    while (view := view_of(value)) is not None:
        if isinstance(view, tensor.ExtractSliceOp):
            break
        value = view.operands[0]
    return value


def flat_loops(op: Operation) -> FlatLoops | None:
    """The loops of an op that should run where an operand is not yet reshaped."""
    if not isinstance(op, StructuredOp) or not _is_plain(op):
        return None
    shape = shape_of(op.results[0])
    for value, read in zip(op.inputs, op.maps, strict=False):
        source = _source(value)
        if source is value or reduced_rows(source.owner) is not None:
            continue
        flat = FlatLoops(value, tuple(shape_of(source)))
        if shape_of(value) != shape or read != AffineMap.identity(len(shape)):
            flat = _turned(op, value, read)
            is_better = _is_one_kernel(source, op) and _is_read_so_alone(value)
            if flat is not None and is_better:
                return flat
            continue
        if not _fits(op, flat.extents):
            continue
        more = len(shape_of(source)) - len(shape)
        if more >= 0 and _is_one_kernel(source, op) and _is_read_so_alone(value):
            return flat
        if more <= 0 and _follows_sums(source) and _stays_flat(op.results[0], source):
            return flat
    return None


def _turned(op: StructuredOp, value: SSAValue, read: AffineMap) -> FlatLoops | None:
    """The loops of an op that reads a collapsed tensor in another order."""
    extents = shape_of(_source(value))
    groups: list[list[int]] = [[] for _ in range(op.get_num_loops())]
    behind = reshaped_indices(extents, shape_of(value))
    for along, index in zip(read.results, behind, strict=True):
        if isinstance(along, AffineDimExpr):
            groups[along.position] = sorted(index.used_dims())
    order = [dim for group in groups for dim in group]
    sizes = [prod(extents[dim] for dim in group) for group in groups]
    if sorted(order) != list(range(len(extents))) or sizes != list(
        shape_of(op.results[0])
    ):
        return None
    loops, places = tuple(extents[dim] for dim in order), iter(range(len(order)))
    merged = [[next(places) for _ in group] for group in groups]
    return FlatLoops(value, loops, merged) if _fits(op, loops) else None


def _is_plain(op: StructuredOp) -> bool:
    """Whether an op computes elements of one result from those at the same indices."""
    return (
        is_elementwise(op)
        and len(op.results) == 1
        and op.maps[-1] == AffineMap.identity(op.get_num_loops())
        and DYNAMIC_INDEX not in shape_of(op.results[0])
        and not op.body.block.args[-1].uses
        and not any(
            isinstance(each, IndexOp | tensor.ExtractOp) for each in op.body.block.ops
        )
    )


def _is_read_so_alone(value: SSAValue) -> bool:
    """Whether no reduction needs a tensor under its shape: it would be stored."""
    users = [use.operation for use in value.uses]
    return all(isinstance(user, StructuredOp) and _is_plain(user) for user in users)


def _is_one_kernel(source: SSAValue, op: StructuredOp) -> bool:
    """Whether the kernel that computes a tensor can compute an op on it as well.

    All operands as large as the result must have had the same shape.
    """
    maker = source.owner
    is_computed = isinstance(maker, GenericOp | TransposeOp) or (
        isinstance(maker, StructuredOp) and product_of(maker) is not None
    )
    shape, full = shape_of(source), shape_of(op.results[0])
    tensors = [v for v in op.inputs if is_tensor(v.type)]
    large = [v for v in tensors if shape_of(v) == full]
    return (
        is_computed
        and 1 not in shape
        and all(shape_of(_source(v)) == shape for v in large)
    )


def _is_read_elsewhere(value: SSAValue, op: Operation) -> bool:
    """Whether further ops read what an op computes, perhaps behind views."""
    if producer_of(value) is None:
        return False
    return any(
        use.operation is not op
        for read in _reshaped(value)
        for use in read.uses
        if not isinstance(use.operation, tensor.ExpandShapeOp | tensor.CollapseShapeOp)
    )


def _follows_sums(value: SSAValue) -> bool:
    """Whether element-wise ops compute a tensor from a product or a reduction."""
    owner = value.owner
    if not isinstance(owner, StructuredOp):
        return False
    return not is_elementwise(owner) or any(map(_follows_sums, owner.inputs))


def _fits(op: StructuredOp, extents: Sequence[int]) -> bool:
    """Whether all that an op reads can be read along loops of some extents."""
    if prod(extents) != prod(shape_of(op.results[0])):
        return False
    loops = reshaped_indices(extents, shape_of(op.results[0]))
    return all(
        _is_along(value, indices_of(map_, loops), extents, op)
        for value, map_ in zip(op.inputs, op.maps, strict=False)
    )


def _is_along(
    value: SSAValue, at: Indices, extents: Sequence[int], op: Operation
) -> bool:
    """Whether a view of a tensor is read along loops at some indices."""
    if not at:
        return True
    base = _source(value)
    while value is not base and (view := view_of(value)) is not None:
        at, value = indices_behind(view, at, extents), view.operands[0]
    if is_projection_or_zero(AffineMap(len(extents), 0, at)):
        return True
    read = view_read(value, at, extents, op)
    if read is not None:
        read.erase()
    return read is not None


def _stays_flat(value: SSAValue, source: SSAValue) -> bool:
    """Whether nobody needs the longer shape: readers undo it, or can follow."""
    return all(_may_read_flat(use.operation, source) for use in value.uses)


def _may_read_flat(reader: Operation, source: SSAValue) -> bool:
    if isinstance(reader, func.ReturnOp):
        return True
    if isinstance(reader, tensor.CollapseShapeOp):
        return shape_of(reader.result) == shape_of(source)
    return (
        isinstance(reader, GenericOp)
        and _is_plain(reader)
        and _fits(reader, shape_of(source))
        and _stays_flat(reader.results[0], source)
    )


PATTERNS = (flatten_elements, expand_elements)
