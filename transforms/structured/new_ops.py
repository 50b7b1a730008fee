"""Build structured ops: destinations, and generic ops with a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import GenericOp, YieldOp, iterators, maps_attribute
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.extents import INDEX, Extent, OpList


def split_sizes(shape: Sequence[Extent]) -> tuple[list[int], list[SSAValue]]:
    """Static sizes, `DYNAMIC_INDEX` for the others, and the values of those."""
    numbers = [constant_int(extent) for extent in shape]
    dynamic = [
        extent
        for extent, number in zip(shape, numbers, strict=True)
        if number is None and isinstance(extent, SSAValue)
    ]
    return [DYNAMIC_INDEX if n is None else n for n in numbers], dynamic


def empty(shape: Sequence[Extent], of: Attribute, new_ops: OpList) -> SSAValue:
    """A new tensor of unspecified contents."""
    static, dynamic = split_sizes(shape)
    return new_ops.add(tensor.EmptyOp(dynamic, TensorType(of, static)))


def pad_high(
    source: SSAValue,
    value: SSAValue,
    high: Sequence[Extent],
    shape: Sequence[int],
    new_ops: OpList,
    *,
    nofold: bool = False,
) -> tensor.PadOp:
    """A tensor with more elements at the end of its dimensions, all of one value."""
    body = Block(arg_types=[INDEX] * len(shape))
    body.add_op(tensor.YieldOp(value))
    kind = TensorType(element_type(source.type), shape)
    low: list[Extent] = [0] * len(shape)
    pad = tensor.PadOp(source, low, high, Region(body), kind, nofold=nofold)
    new_ops.ops.append(pad)
    return pad


def generic(
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    maps: Sequence[AffineMap],
    reduced: Sequence[int],
    write: Callable[[Body], Sequence[SSAValue]],
    new_ops: OpList,
) -> GenericOp:
    """A generic op, added to `new_ops`; `write` fills the body and returns its yields.

    The loops in `reduced` are reductions.
    """
    body = Body([element_type(value.type) for value in (*inputs, *outputs)])
    body.append(YieldOp(*write(body)))
    op = GenericOp(
        inputs,
        outputs,
        body.region(),
        maps_attribute(maps),
        iterators(maps[0].num_dims, tuple(reduced)),
        [output.type for output in outputs if is_tensor(output.type)],
    )
    new_ops.ops.append(op)
    return op


def map_without(rank: int, *dropped: int) -> AffineMap:
    """The map from `rank` loops to all but `dropped`, in order."""
    kept = [AffineExpr.dimension(d) for d in range(rank) if d not in dropped]
    return AffineMap(rank, 0, tuple(kept))
