"""Remove loops that run once and dimensions of extent 1 from `linalg.generic`.

`linalg.fold_unit_extent_dims_via_slices` and `..._via_reshapes` differ in how operands
lose the dimensions and results get them back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import memref, tensor
from tilewright.ir.dialects.linalg import GenericOp, IndexOp, maps_attribute
from tilewright.ir.dialects.linalg.loops import shape_of as array_shape
from tilewright.ir.dialects.memref import layout_of
from tilewright.ir.indexing.normal_form import replaced
from tilewright.ir.types import buffer_type, is_buffer, is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.patterns.tensor.pads import pad_op, padding_of
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    Groups,
    collapse,
    expand,
)
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    shape_of,
    slice_op,
    with_shape,
)
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class Way:
    """How an array loses dimensions of extent 1, and how a tensor gets them back."""

    drop: Callable[[SSAValue, Sequence[int], OpList], SSAValue]
    restore: Callable[[SSAValue, SSAValue, Sequence[int], OpList], SSAValue]
    """Takes the small tensor, the large one it stands for, the dropped dimensions."""


def _kept(shape: Sequence[int], dropped: Sequence[int]) -> list[int]:
    return [extent for dim, extent in enumerate(shape) if dim not in dropped]


def _size(value: SSAValue, dim: int, new_ops: OpList) -> Size:
    extent = array_shape(value.type)[dim]
    if extent != DYNAMIC_INDEX:
        return extent
    if is_buffer(value.type):
        return new_ops.add(memref.DimOp(value, new_ops.index(dim)))
    return new_ops.add(tensor.DimOp(value, new_ops.index(dim)))


def _whole(value: SSAValue, new_ops: OpList) -> Slice:
    rank = len(array_shape(value.type))
    sizes = tuple(_size(value, dim, new_ops) for dim in range(rank))
    return Slice((0,) * rank, sizes, (1,) * rank)


def _drop_by_slice(
    value: SSAValue, dropped: Sequence[int], new_ops: OpList
) -> SSAValue:
    place = _whole(value, new_ops)
    if is_buffer(value.type):
        return new_ops.add(window(value, place, tuple(dropped)))
    kind = tensor_type(value)
    small = with_shape(kind, _kept(kind.get_shape(), dropped))
    return new_ops.add(slice_op("tensor.extract_slice", [value], place, [small]))


def _restore_by_slice(
    value: SSAValue, whole: SSAValue, dropped: Sequence[int], new_ops: OpList
) -> SSAValue:
    place = _whole(whole, new_ops)
    back = slice_op("tensor.insert_slice", [value, whole], place, [whole.type])
    return new_ops.add(back)


def _groups(rank: int, dropped: Sequence[int]) -> Groups:
    """Groups of one kept dimension and the dropped dimensions beside it."""
    groups: Groups = []
    waiting: list[int] = []
    for dim in range(rank):
        if dim in dropped:
            (groups[-1] if groups else waiting).append(dim)
        else:
            groups.append([*waiting, dim])
            waiting = []
    return groups


def _drop_by_reshape(
    value: SSAValue, dropped: Sequence[int], new_ops: OpList
) -> SSAValue:
    if is_buffer(value.type):
        return new_ops.add(_collapsed_buffer(value, dropped))
    kind = tensor_type(value)
    small = with_shape(kind, _kept(kind.get_shape(), dropped))
    return new_ops.add(collapse(value, _groups(kind.get_num_dims(), dropped), small))


def _collapsed_buffer(value: SSAValue, dropped: Sequence[int]) -> Operation:
    kind = buffer_type(value)
    shape, space = _kept(kind.get_shape(), dropped), kind.memory_space
    groups = [
        ArrayAttr([IntegerAttr(dim, i64) for dim in group])
        for group in _groups(kind.get_num_dims(), dropped)
    ]
    return memref.CollapseShapeOp.build(
        operands=[value],
        properties={"reassociation": ArrayAttr(groups)},
        result_types=[MemRefType(kind.element_type, shape, memory_space=space)],
    )


def _restore_by_reshape(
    value: SSAValue, whole: SSAValue, dropped: Sequence[int], new_ops: OpList
) -> SSAValue:
    kind = tensor_type(whole)
    kept = iter(range(len(shape_of(value))))
    sizes = [
        1 if dim in dropped else _size(value, next(kept), new_ops)
        for dim in range(kind.get_num_dims())
    ]
    groups = _groups(kind.get_num_dims(), dropped)
    return new_ops.add(expand(value, groups, sizes, kind))


SLICES = Way(_drop_by_slice, _restore_by_slice)
RESHAPES = Way(_drop_by_reshape, _restore_by_reshape)


def loops_once(op: GenericOp) -> list[int]:
    """The loops that run once."""
    ranges = op.get_static_loop_ranges()
    return [loop for loop, extent in enumerate(ranges) if extent == 1]


def _dropped_dims(operand: SSAValue, map_: AffineMap, once: Sequence[int]) -> list[int]:
    """The dimensions of an operand that only loops that run once index."""
    if not is_tensor(operand.type) and not is_buffer(operand.type):
        return []
    found: list[int] = []
    for dim, expr in enumerate(map_.results):
        if array_shape(operand.type)[dim] != 1:
            continue
        if isinstance(expr, AffineDimExpr) and expr.position in once:
            found.append(dim)
        elif isinstance(expr, AffineConstantExpr):
            found.append(dim)
    return found


def _drop_all_loops(op: GenericOp, way: Way, rewriter: Rewriter) -> None:
    once = loops_once(op)
    dropped = [
        _dropped_dims(operand, map_, once)
        for operand, map_ in zip(op.operands, op.maps, strict=True)
    ]
    if once or any(dropped):
        drop_loops(op, way, once, dropped, rewriter)


def drop_loops(
    op: GenericOp,
    way: Way,
    once: Sequence[int],
    dropped: Sequence[Sequence[int]],
    rewriter: Rewriter,
) -> None:
    """Remove some loops that run once, and some dimensions of each operand."""
    loops = op.get_num_loops()
    positions = iter(range(loops))
    dims: list[AffineExpr] = [
        AffineConstantExpr(0) if loop in once else AffineDimExpr(next(positions))
        for loop in range(loops)
    ]
    maps: list[AffineMap] = []
    operands: list[SSAValue] = []
    new_ops = OpList()
    for operand, map_, without in zip(op.operands, op.maps, dropped, strict=True):
        results = [
            replaced(expr, dims, [])
            for dim, expr in enumerate(map_.results)
            if dim not in without
        ]
        maps.append(AffineMap(loops - len(once), 0, tuple(results)))
        operands.append(way.drop(operand, without, new_ops) if without else operand)
    _renumber(op, once, rewriter)
    count = len(op.inputs)
    new = GenericOp.build(
        operands=[operands[:count], operands[count:]],
        result_types=[[value.type for value in operands[count:] if op.results]],
        properties={
            "indexing_maps": maps_attribute(maps),
            "iterator_types": ArrayAttr(
                [
                    kind
                    for loop, kind in enumerate(op.get_iterator_types())
                    if loop not in once
                ]
            ),
        },
        attributes=op.attributes.copy(),
        regions=[op.body.clone()],
    )
    new_ops.ops.append(new)
    for result, before in zip(new.results, op.results, strict=True):
        result.name_hint = before.name_hint
    values = [
        way.restore(value, whole, without, new_ops) if without else value
        for value, whole, without in zip(
            new.results, op.outputs, dropped[count:], strict=False
        )
    ]
    for added in new_ops.ops:
        added.location = op.location
        rewriter.insert_before(op, added)
    rewriter.replace(op, values, stands_for=new)


def _renumber(op: GenericOp, once: Sequence[int], rewriter: Rewriter) -> None:
    """Renumber the loop indices in a body after loops were removed."""
    for index in [inner for inner in op.body.walk() if isinstance(inner, IndexOp)]:
        attr: Any = index.properties["dim"]
        dim = attr.value.data
        if dim in once:
            rewriter.replace_with(index, index_constant(0))
        else:
            fewer = sum(loop < dim for loop in once)
            index.properties["dim"] = IntegerAttr(dim - fewer, attr.type)


def _drop_padded(op: Operation, way: Way, rewriter: Rewriter) -> None:
    """Pad without the dimensions of extent 1 that are not padded."""
    if "nofold" in op.properties or op.regions[0].block.first_op is None:
        return
    source, result = op.operands[0], op.results[0]
    low, high = padding_of(op)
    dropped = [
        dim
        for dim, extent in enumerate(shape_of(source))
        if extent == 1 and low[dim] == 0 and high[dim] == 0
    ]
    block = op.regions[0].block
    if not dropped or any(block.args[dim].first_use is not None for dim in dropped):
        return
    if not tensor_type(result).has_static_shape():
        return
    new_ops = OpList()
    small = way.drop(source, dropped, new_ops)
    body = op.regions[0].clone()
    for dim in reversed(dropped):
        body.block.erase_arg(body.block.args[dim])
    kind: TensorType[Any] = with_shape(
        tensor_type(result), _kept(shape_of(result), dropped)
    )
    pad = new_ops.add(
        pad_op(op, small, _sides(low, dropped), _sides(high, dropped), kind, body)
    )
    empty = new_ops.add(make("tensor.empty", [], [result.type]))
    way.restore(pad, empty, dropped, new_ops)
    rewriter.replace_with(op, *new_ops.ops)


def _sides(sizes: Sequence[SSAValue | int], dropped: Sequence[int]) -> list[Any]:
    return [size for dim, size in enumerate(sizes) if dim not in dropped]


def _can_be_sliced(op: Operation) -> bool:
    """Whether all tensors have elements: upstream does not slice empty dimensions."""
    values = (*op.operands, *op.results)
    return not any(0 in shape_of(v) for v in values if is_tensor(v.type))


@pattern(GenericOp)
def drop_loops_by_slices(op: GenericOp, rewriter: Rewriter) -> None:
    """Remove loops that run once; slices drop the dimensions."""
    buffers = [buffer_type(v) for v in op.operands if is_buffer(v.type)]
    if _can_be_sliced(op) and all(layout_of(kind) for kind in buffers):
        _drop_all_loops(op, SLICES, rewriter)


@pattern(GenericOp)
def drop_loops_by_reshapes(op: GenericOp, rewriter: Rewriter) -> None:
    """Remove loops that run once; reshapes drop the dimensions."""
    buffers = [buffer_type(v) for v in op.operands if is_buffer(v.type)]
    if all(isinstance(kind.layout, NoneAttr) for kind in buffers):
        _drop_all_loops(op, RESHAPES, rewriter)


@pattern_on("tensor.pad")
def drop_padded_by_slices(op: Operation, rewriter: Rewriter) -> None:
    """Pad without dimensions of extent 1; slices drop them."""
    if _can_be_sliced(op):
        _drop_padded(op, SLICES, rewriter)


@pattern_on("tensor.pad")
def drop_padded_by_reshapes(op: Operation, rewriter: Rewriter) -> None:
    """Pad without dimensions of extent 1; reshapes drop them."""
    _drop_padded(op, RESHAPES, rewriter)


BY_SLICES = (drop_loops_by_slices, drop_padded_by_slices)
BY_RESHAPES = (drop_loops_by_reshapes, drop_padded_by_reshapes)
