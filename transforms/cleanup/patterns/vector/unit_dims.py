"""Remove dimensions of extent 1 from vectors.

`vector.cast_away_vector_leading_one_dim` takes leading ones away by extract and
broadcast, `vector.drop_unit_dims_with_shape_cast` all of them by shape casts.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ContractOp,
    ExtractStridedSliceOp,
    InsertOp,
    MaskOp,
    ShapeCastOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
    dims_of,
)
from tilewright.ir.indexing.normal_form import replaced
from tilewright.ir.types import is_vector, tensor_type, vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.elements import extract, position_of
from tilewright.transforms.cleanup.patterns.vector.transfers import is_masked
from tilewright.transforms.core.rewriter import Rewriter


def _leading_ones(shape: Sequence[int]) -> int:
    """The number of leading dimensions of extent 1, not counting the last one."""
    count = 0
    while count < len(shape) - 1 and shape[count] == 1:
        count += 1
    return count


def _without(kind: VectorType[Attribute], count: int) -> VectorType[Attribute]:
    return VectorType(kind.element_type, kind.get_shape()[count:])


def _trimmed(value: SSAValue, count: int) -> Operation:
    kind = _without(vector_type(value), count)
    return extract(value, (0,) * count, kind)


def is_elementwise(op: Operation) -> bool:
    """Whether an op computes lane by lane, on vectors of one shape."""
    if not op.name.startswith(("arith.", "math.")) or op.name == "arith.constant":
        return False
    shapes = {
        value.type.get_shape() if is_vector(value.type) else None
        for value in (*op.operands, *op.results)
    }
    return len(op.results) == 1 and len(shapes) == 1 and None not in shapes


def _on_vectors(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """An elementwise op on vectors of another shape."""
    shape = vector_type(operands[0]).get_shape()
    kind = VectorType(vector_type(op.results[0]).element_type, shape)
    return type(op).create(
        operands=operands,
        result_types=[kind],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )


# -- leading ones ----------------------------------------------------------------------


@pattern(Operation)
def trim_elementwise(op: Operation, rewriter: Rewriter) -> None:
    """Compute without leading dimensions of extent 1."""
    if not is_elementwise(op):
        return
    kind = vector_type(op.results[0])
    count = _leading_ones(kind.get_shape())
    if not count:
        return
    small = [_trimmed(operand, count) for operand in op.operands]
    new = _on_vectors(op, [part.results[0] for part in small])
    rewriter.replace_with(op, *small, new, BroadcastOp(new.results[0], kind))


@pattern(TransferReadOp)
def trim_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read without leading dimensions of extent 1."""
    kind = vector_type(op.result)
    count = _leading_ones(kind.get_shape())
    if not count or is_masked(op):
        return
    map_ = op.permutation_map.data
    read = TransferReadOp(
        op.source,
        list(op.indices),
        op.padding,
        _without(kind, count),
        ArrayAttr(op.in_bounds.data[count:]),
        AffineMapAttr(AffineMap(map_.num_dims, 0, map_.results[count:])),
    )
    rewriter.replace_with(op, read, BroadcastOp(read.result, kind))


@pattern(TransferWriteOp)
def trim_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Write without leading dimensions of extent 1."""
    count = _leading_ones(vector_type(op.vector).get_shape())
    if not count or is_masked(op):
        return
    map_ = op.permutation_map.data
    small = _trimmed(op.vector, count)
    write = TransferWriteOp(
        small.results[0],
        op.source,
        list(op.indices),
        ArrayAttr(op.in_bounds.data[count:]),
        None,
        AffineMapAttr(AffineMap(map_.num_dims, 0, map_.results[count:])),
        None if op.result is None else tensor_type(op.result),
    )
    rewriter.replace_with(op, small, write)


@pattern(ExtractStridedSliceOp)
def trim_slice(op: ExtractStridedSliceOp, rewriter: Rewriter) -> None:
    """Slice without leading dimensions of extent 1."""
    kind = vector_type(op.source)
    count = _leading_ones(kind.get_shape())
    if not count:
        return
    small = _trimmed(op.source, count)
    result = vector_type(op.result)
    if len(op.offsets) <= count:
        back = BroadcastOp(small.results[0], result)
        rewriter.replace_with(op, small, back)
        return
    new = make(
        op.name,
        small.results,
        [_without(result, count)],
        {
            "offsets": ArrayAttr(op.offsets.data[count:]),
            "sizes": ArrayAttr(op.sizes.data[count:]),
            "strides": ArrayAttr(op.strides.data[count:]),
        },
    )
    rewriter.replace_with(op, small, new, BroadcastOp(new.results[0], result))


@pattern(InsertOp)
def trim_insert(op: InsertOp, rewriter: Rewriter) -> None:
    """Replace an insertion over all but leading unit dimensions by a broadcast."""
    kind, position = vector_type(op.dest), position_of(op)
    count = _leading_ones(kind.get_shape())
    if not count or position is None or len(position) != count:
        return
    if op.source.type == _without(kind, count):
        rewriter.replace_with(op, BroadcastOp(op.source, kind))


@pattern(ContractOp)
def trim_contract(op: ContractOp, rewriter: Rewriter) -> None:
    """Contract without a leading dimension of extent 1 of the accumulator."""
    if not is_vector(op.acc.type) or isinstance(op.parent_op(), MaskOp):
        return
    shape = op.acc.type.get_shape()
    if len(shape) < 2 or shape[0] != 1:
        return
    maps = [attr.data for attr in op.indexing_maps]
    loop = dims_of(maps[2])[0]
    new_ops: list[Operation] = []
    operands: list[SSAValue] = []
    new_maps: list[AffineMap] = []
    for value, map_ in zip((op.lhs, op.rhs, op.acc), maps, strict=True):
        loops = dims_of(map_)
        if loop in loops:
            at = loops.index(loop)
            order = [at, *(dim for dim in range(len(loops)) if dim != at)]
            if at:
                new_ops.append(TransposeOp(value, order))
                value = new_ops[-1].results[0]
            new_ops.append(_trimmed(value, 1))
            value = new_ops[-1].results[0]
        operands.append(value)
        new_maps.append(_without_loop(map_, loop))
    kinds = [k for at, k in enumerate(op.iterator_types) if at != loop]
    contract = ContractOp(
        operands[0],
        operands[1],
        operands[2],
        ArrayAttr([AffineMapAttr(map_) for map_ in new_maps]),
        ArrayAttr(kinds),
        op.kind,
    )
    back = BroadcastOp(contract.results[0], vector_type(op.results[0]))
    rewriter.replace_with(op, *new_ops, contract, back)


def _without_loop(map_: AffineMap, loop: int) -> AffineMap:
    dims: list[AffineExpr] = [
        AffineDimExpr(dim if dim < loop else dim - 1) for dim in range(map_.num_dims)
    ]
    results = tuple(
        replaced(expr, dims, [])
        for expr in map_.results
        if not (isinstance(expr, AffineDimExpr) and expr.position == loop)
    )
    return AffineMap(map_.num_dims - 1, 0, results)


# -- all of them -----------------------------------------------------------------------


def _squeezed(kind: VectorType[Attribute]) -> VectorType[Attribute] | None:
    """The type without unit dimensions; None if it has none, or only such."""
    shape = [extent for extent in kind.get_shape() if extent != 1]
    if len(shape) == len(kind.get_shape()) or not shape:
        return None
    return VectorType(kind.element_type, shape)


def _cast(value: SSAValue, kind: Attribute) -> Operation:
    return make(ShapeCastOp.name, [value], [kind])


@pattern(Operation)
def squeeze_elementwise(op: Operation, rewriter: Rewriter) -> None:
    """Compute without dimensions of extent 1."""
    if not is_elementwise(op) or _squeezed(vector_type(op.results[0])) is None:
        return
    casts = [_cast(v, _squeezed(vector_type(v)) or v.type) for v in op.operands]
    new = _on_vectors(op, [cast.results[0] for cast in casts])
    rewriter.replace_with(op, *casts, new, _cast(new.results[0], op.results[0].type))


@pattern(TransposeOp)
def squeeze_transpose(op: TransposeOp, rewriter: Rewriter) -> None:
    """Transpose without dimensions of extent 1."""
    kind = vector_type(op.vector)
    small = _squeezed(kind)
    if small is None:
        return
    kept = [dim for dim, extent in enumerate(kind.get_shape()) if extent != 1]
    order = [kept.index(dim) for dim in op.order if dim in kept]
    cast = _cast(op.vector, small)
    new = TransposeOp(cast.results[0], order)
    rewriter.replace_with(op, cast, new, _cast(new.result, op.result.type))


@pattern(scf.ForOp)
def squeeze_carried(op: scf.ForOp, rewriter: Rewriter) -> None:
    """Carry vectors through a loop without dimensions of extent 1."""
    for position, init in enumerate(op.iter_args):
        if not is_vector(init.type) or (small := _squeezed(init.type)) is None:
            continue
        _carry_as(op, position, small, rewriter)
        return


def _carry_as(
    op: scf.ForOp, position: int, kind: Attribute, rewriter: Rewriter
) -> None:
    """Carry a vector under another shape; shape casts keep the old shape elsewhere."""
    block, old = op.body.block, op.results[position]
    first, last = block.first_op, block.last_op
    assert first is not None and last is not None
    before = _cast(op.iter_args[position], kind)
    rewriter.insert_before(op, before)
    arg = block.args[position + 1]
    new_arg = block.insert_arg(kind, position + 1)
    new_arg.name_hint = arg.name_hint
    outside = _cast(yielded(op)[position], kind)
    rewriter.insert_before(last, outside)
    inside = _cast(new_arg, old.type)
    rewriter.insert_before(block.first_op or first, inside)
    rewriter.replace_uses(arg, inside.results[0])
    block.erase_arg(arg)
    rewriter.set_operand(last, position, outside.results[0])
    inits = list(op.iter_args)
    inits[position] = before.results[0]
    bounds = op.lb, op.ub, op.step
    new = scf.ForOp(*bounds, inits, op.detach_region(0))
    new.attributes = op.attributes.copy()
    new.location = op.location
    after = _cast(new.results[position], old.type)
    rewriter.insert_before(op, new, after)
    values = list[SSAValue](new.results)
    values[position] = after.results[0]
    rewriter.replace(op, values, stands_for=new)


LEADING = (
    trim_elementwise,
    trim_read,
    trim_write,
    trim_slice,
    trim_insert,
    trim_contract,
)
ALL = (squeeze_elementwise, squeeze_transpose, squeeze_carried)
