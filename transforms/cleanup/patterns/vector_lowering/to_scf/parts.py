"""One part of a transfer: its place, its mask, and whether it is in bounds."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import (
    AffineMapAttr,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.vector import (
    ExtractOp,
    MaskOp,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_buffer, vector_type
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    mask_of,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.extents import dim_size

Body = Callable[[Steps], SSAValue | None]


def is_lowered(op: Transfer) -> bool:
    """Whether a transfer is one that these patterns lower: of elements of a buffer."""
    source = source_of(op).type
    return (
        is_buffer(source)
        and source.element_type == vector_of(op).element_type
        and not isinstance(op.parent_op(), MaskOp)
    )


def first_dim(op: Transfer) -> int | None:
    """The dimension that the first lanes run along; None if they repeat."""
    expr = op.permutation_map.data.results[0]
    return expr.position if isinstance(expr, AffineDimExpr) else None


def moved(op: Transfer, at: SSAValue, steps: Steps) -> list[SSAValue]:
    """The indices of the part at one place of the first lanes."""
    indices, dim = list(op.indices), first_dim(op)
    if dim is not None:
        total = AffineExpr.dimension(0) + AffineExpr.dimension(1)
        indices[dim] = steps.apply(total, [indices[dim], at])
    return indices


def guarded(
    op: Transfer,
    at: SSAValue,
    steps: Steps,
    inside: Body,
    outside: SSAValue | None,
    otherwise: Body | None = None,
) -> SSAValue | None:
    """`inside` where the place is in bounds and its lane is on, else `outside`.

    What `otherwise` does has no value.
    """
    condition, dim, mask = None, first_dim(op), mask_of(op)
    if dim is not None and not bool(op.in_bounds.data[0]):
        place = moved(op, at, steps)[dim]
        extent = steps.index(dim_size(source_of(op), dim, steps))
        condition = steps.add(arith.CmpiOp(extent, place, "sgt"))
    if mask is not None and dim is not None:
        if len(vector_type(mask).get_shape()) == 1:
            number = constant_int(at)
            lane = at if number is None else number
            is_on = steps.add(ExtractOp(mask, [lane]))
            both = condition is not None
            condition = steps.binary("arith.andi", condition, is_on) if both else is_on
    if condition is None:
        return inside(steps)
    then = Steps()
    value = inside(then)
    results = [] if value is None else [value]
    then.ops.append(scf.YieldOp(*results))
    others = Steps()
    if otherwise is not None:
        otherwise(others)
    others.ops.append(scf.YieldOp(*([] if outside is None else [outside])))
    kinds = [value.type for value in results]
    choice = scf.IfOp(condition, kinds, then.ops, others.ops)
    steps.ops.append(choice)
    return choice.results[0] if results else None


def rest(op: Transfer) -> AffineMapAttr:
    """The map of a part: of all lanes but the first."""
    map_ = op.permutation_map.data
    return AffineMapAttr(AffineMap(map_.num_dims, 0, map_.results[1:]))


def counted(
    count: int, steps: Steps, carried: list[SSAValue], body: Block
) -> Operation:
    """A loop that runs `count` times."""
    zero, end, one = (steps.index(number) for number in (0, count, 1))
    loop = scf.ForOp(zero, end, one, carried, Region(body))
    steps.ops.append(loop)
    return loop
