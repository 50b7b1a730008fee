"""Element-wise ops behind a reshape run in the loops of what is reshaped.

`tilewright.flat_elements`. A linear layer of a batch multiplies a matrix of all rows,
and what follows sees the batch again:

    %p = linalg.matmul ... -> tensor<4096x64xf32>
    %e = tensor.expand_shape %p [[0, 1], [2]] ... into tensor<8x512x64xf32>
    %r = linalg.generic ... ins(%e) { relu } -> tensor<8x512x64xf32>
    %c = tensor.collapse_shape %r [[0, 1], [2]] ... into tensor<4096x64xf32>

The op reads the matrix instead, so that a kernel or a library computes both. It stays
where a reader needs the longer shape, such as a norm of rows: that is fused with its
reader. An op on a group norm, whose rows are collapsed to channels, runs along the rows
likewise, and one on shuffled pixels where they are still apart. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

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
from tilewright.ir.structured.inlining import Elements, indices_of
from tilewright.ir.structured.maps import is_projection_or_zero
from tilewright.ir.structured.movement import (
    Indices,
    indices_behind,
    reshaped_indices,
    view_of,
)
from tilewright.ir.structured.view_reads import view_read
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import shape_of, with_shape
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def flatten_elements(op: GenericOp, rewriter: Rewriter) -> None:
    """Compute elements where they are before a reshape, and reshape them afterwards."""
    value = reshaped_operand(op)
    if value is None:
        return
    shape, kind = shape_of(_source(value)), tensor_type(op.results[0])
    bases = {*map(_source, op.inputs)}
    body = Elements(op, shape, lambda each: each in bases)
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
    rewriter.replace_with(op, *body.views, empty, new, *_reshapes(value, new))


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


def _source(value: SSAValue) -> SSAValue:
    """The tensor of known sizes that reshapes make a value of."""
    while (view := view_of(value)) is not None:
        if isinstance(view, tensor.ExtractSliceOp):
            break
        value = view.operands[0]
    return value


def reshaped_operand(op: Operation) -> SSAValue | None:
    """The operand of an op that should run where the operand is not yet reshaped."""
    if not isinstance(op, GenericOp) or not _is_plain(op):
        return None
    shape = shape_of(op.results[0])
    for value in op.inputs:
        source = _source(value)
        if source is value or shape_of(value) != shape or not _fits(op, source):
            continue
        more = len(shape_of(source)) - len(shape)
        if more >= 0 and _is_one_kernel(source, op) and _is_read_so_alone(value):
            return value
        is_product = more <= 0 and _follows_product(source)
        if is_product and _stays_flat(op.results[0], source):
            return value
    return None


def _is_plain(op: GenericOp) -> bool:
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
    return all(isinstance(user, GenericOp) and _is_plain(user) for user in users)


def _is_one_kernel(source: SSAValue, op: GenericOp) -> bool:
    """Whether the kernel that computes a tensor can compute an op on it as well.

    All operands as large as the result must have had the same shape.
    """
    is_computed = isinstance(source.owner, GenericOp | TransposeOp)
    shape, full = shape_of(source), shape_of(op.results[0])
    tensors = [v for v in op.inputs if is_tensor(v.type)]
    large = [v for v in tensors if shape_of(v) == full]
    return (
        is_computed
        and 1 not in shape
        and all(shape_of(_source(v)) == shape for v in large)
    )


def _follows_product(value: SSAValue) -> bool:
    """Whether element-wise ops compute a tensor from a product's."""
    owner = value.owner
    if not isinstance(owner, StructuredOp):
        return False
    if product_of(owner) is not None:
        return True
    return is_elementwise(owner) and any(map(_follows_product, owner.inputs))


def _fits(op: GenericOp, source: SSAValue) -> bool:
    """Whether all that an op reads can be read along the loops of a source."""
    shape = shape_of(source)
    loops = reshaped_indices(shape, shape_of(op.results[0]))
    return all(
        _is_along(value, indices_of(map_, loops), shape, op)
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
        and _fits(reader, source)
        and _stays_flat(reader.results[0], source)
    )


PATTERNS = (flatten_elements,)
