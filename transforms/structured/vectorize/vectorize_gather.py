"""Elements that a body extracts from another tensor: a read, or a gather.

Lanes that read side by side, or all the same element, are one `vector.transfer_read`
(`extract_accesses.py`). A gather has one index a lane. It counts the elements of the
whole tensor in row-major order, as upstream counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, tensor, ub
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import ExtractOp, GatherOp, TransferReadOp
from tilewright.ir.types import lanes, vector_with
from tilewright.transforms.cleanup.constants import splat
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.structured.vectorize.extract_accesses import (
    Access,
    access_of,
)


class Plan(Protocol):
    """The op around the element, and its vector sizes."""

    @property
    def op(self) -> StructuredOp:
        """The structured op."""
        ...

    @property
    def vector_sizes(self) -> tuple[int, ...]:
        """The vector size of each loop."""
        ...


class Code(Protocol):
    """The vector code of the op around the element, while it is being written."""

    new: OpList
    zero: SSAValue
    all_loops: tuple[int, ...]

    @property
    def plan(self) -> Plan:
        """What is vectorized."""
        ...

    def shape(self, loops: Sequence[int]) -> list[int]:
        """The vector shape over some loops."""
        ...

    def lookup(self, value: SSAValue) -> SSAValue:
        """The vector form of a scalar of the body."""
        ...

    def kept(self, value: SSAValue) -> SSAValue:
        """The vector form of a scalar of the body, usable outside of it."""
        ...

    def spread(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A value broadcast to a shape."""
        ...

    def mask(self, loops: Sequence[int]) -> SSAValue | None:
        """A mask over loops; None if all lanes are valid."""
        ...

    def under(self, mask: SSAValue | None, op: Operation) -> Sequence[SSAValue]:
        """Add an op, perhaps under a mask; returns its results."""
        ...


def extracted(code: Code, scalar: tensor.ExtractOp) -> SSAValue:
    """The elements that the lanes extract from a tensor: one read, or a gather."""
    match access_of(code.plan.op, scalar, code.plan.vector_sizes):
        case Access.SCALAR | Access.CONTIGUOUS as access:
            return _read(code, scalar, access)
        case Access.GATHER:
            return _gathered(code, scalar)


def _read(code: Code, scalar: tensor.ExtractOp, access: Access) -> SSAValue:
    """One row of the tensor from the first lane's index on, or one element for all."""
    new, shape = code.new, code.shape(code.all_loops)
    rank = len(scalar.indices)
    indices = [_first_lane(code, code.kept(index)) for index in scalar.indices]
    element = scalar.result.type
    dims: list[AffineExpr] = [AffineConstantExpr(0)] * len(shape)
    if access is Access.CONTIGUOUS:
        count = min(rank, len(shape))
        dims[-count:] = [AffineDimExpr(dim) for dim in range(rank - count, rank)]
    padding = ub.PoisonOp.create(
        result_types=[element], properties={"value": ub.PoisonAttr()}
    )
    read = TransferReadOp(
        scalar.tensor,
        indices,
        new.add(padding),
        vector_with(element, shape),
        ArrayAttr([BoolAttr.from_bool(True)] * len(shape)),
        AffineMapAttr(AffineMap(rank, 0, tuple(dims))),
    )
    loops = [
        loop
        for loop, dim in zip(code.all_loops, dims, strict=True)
        if isinstance(dim, AffineDimExpr)
    ]
    (elements,) = code.under(code.mask(loops), read)
    elements.name_hint = scalar.result.name_hint
    return elements


def _first_lane(code: Code, index: SSAValue) -> SSAValue:
    shape = lanes(index.type)
    if shape is None:
        return index
    return code.new.add(ExtractOp(index, [0] * len(shape)))


def _gathered(code: Code, scalar: tensor.ExtractOp) -> SSAValue:
    """The elements at the lanes' own indices; without loops, there is one lane."""
    new, shape = code.new, code.shape(code.all_loops) or [1]
    table, indices = _outside_of_slices(code, scalar)
    place = code.spread(indices[0], shape)
    for dim, index in enumerate(indices[1:], 1):
        extent = code.spread(new.index(dim_size(table, dim, new)), shape)
        row = new.add(arith.MuliOp(place, extent))
        place = new.add(arith.AddiOp(code.spread(index, shape), row))
    element = scalar.result.type
    everywhere = splat(IntegerAttr(1, i1), vector_with(i1, shape))
    nothing = splat(_zero(element), vector_with(element, shape))
    gather = GatherOp.create(
        operands=[
            table,
            *[code.zero] * len(indices),
            place,
            new.add(arith.ConstantOp(everywhere)),
            new.add(arith.ConstantOp(nothing)),
        ],
        result_types=[vector_with(element, shape)],
    )
    (elements,) = code.under(code.mask(code.all_loops), gather)
    elements.name_hint = scalar.result.name_hint
    # The body of an op without loops is on scalars, as `VectorCode.read` gives them.
    return elements if code.all_loops else new.add(ExtractOp(elements, [0]))


def _outside_of_slices(
    code: Code, scalar: tensor.ExtractOp
) -> tuple[SSAValue, list[SSAValue]]:
    """The whole tensor that an element is extracted from, and its indices there.

    Rows of a slice lie apart in memory: an index that counts its elements would miss.
    """
    table = scalar.tensor
    indices = [code.kept(index) for index in scalar.indices]
    while isinstance(part := table.owner, tensor.ExtractSliceOp):
        dropped = tensor.dropped_dims(
            part.static_sizes.get_values(), shape_of(table.type)
        )
        assert dropped is not None, "verified"
        own = iter(indices)
        indices = list[SSAValue]()
        for dim, (offset, stride) in enumerate(
            zip(
                mixed(part.static_offsets, part.offsets),
                mixed(part.static_strides, part.strides),
                strict=True,
            )
        ):
            start = code.new.index(offset)
            if dim in dropped:
                indices.append(start)
                continue
            place = next(own)
            if stride != 1:
                step = code.new.index(stride)
                place = _combined(code, arith.MuliOp, place, step)
            if offset != 0:
                place = _combined(code, arith.AddiOp, place, start)
            indices.append(place)
        table = part.source
    return table, indices


def _combined(
    code: Code,
    kind: type[arith.MuliOp | arith.AddiOp],
    lhs: SSAValue,
    rhs: SSAValue,
) -> SSAValue:
    """Integer arithmetic on two values, the smaller one broadcast to the larger."""
    shape = max((lanes(value.type) or () for value in (lhs, rhs)), key=len)
    if shape:
        lhs, rhs = code.spread(lhs, shape), code.spread(rhs, shape)
    return code.new.add(kind(lhs, rhs))


def _zero(element: Attribute) -> IntegerAttr | FloatAttr:
    if isinstance(element, AnyFloat):
        return FloatAttr(0.0, element)
    if isinstance(element, IndexType):
        return IntegerAttr(0, element)
    assert isa(element, IntegerType)
    return IntegerAttr(0, element)
