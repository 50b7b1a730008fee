"""Elements that a body extracts from another tensor: one gather for all lanes.

A gather has one index a lane. It counts the elements of the whole tensor in row-major
order, as upstream counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import ExtractOp, GatherOp
from tilewright.ir.types import lanes, vector_with
from tilewright.transforms.cleanup.constants import splat
from tilewright.transforms.core.extents import OpList, dim_size


class Code(Protocol):
    """The vector code of the op around the element, while it is being written."""

    new: OpList
    zero: SSAValue
    all_loops: tuple[int, ...]

    def shape(self, loops: Sequence[int]) -> list[int]:
        """The vector shape over some loops."""
        ...

    def lookup(self, value: SSAValue) -> SSAValue:
        """The vector form of a scalar of the body."""
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


def gathered(code: Code, scalar: tensor.ExtractOp) -> SSAValue:
    """The elements that the lanes extract from a tensor; without loops, a scalar."""
    new, shape = code.new, code.shape(code.all_loops)
    table, indices = _outside_of_slices(code, scalar)
    place = indices[0] if indices else code.zero
    for dim, index in enumerate(indices[1:], 1):
        extent = new.index(dim_size(table, dim, new))
        row = _combined(code, arith.MuliOp, place, extent)
        place = _combined(code, arith.AddiOp, row, index)
    element = scalar.result.type
    everywhere = splat(IntegerAttr(1, i1), vector_with(i1, shape))
    nothing = splat(_zero(element), vector_with(element, shape))
    gather = GatherOp.create(
        operands=[
            table,
            *[code.zero] * len(indices),
            code.spread(place, shape),
            new.add(arith.ConstantOp(everywhere)),
            new.add(arith.ConstantOp(nothing)),
        ],
        result_types=[vector_with(element, shape)],
    )
    (elements,) = code.under(code.mask(code.all_loops), gather)
    elements.name_hint = scalar.result.name_hint
    # The body of an op without loops is on scalars, as `VectorCode.read` gives them.
    return elements if shape else new.add(ExtractOp(elements, []))


def _outside_of_slices(
    code: Code, scalar: tensor.ExtractOp
) -> tuple[SSAValue, list[SSAValue]]:
    """The whole tensor that an element is extracted from, and its indices there.

    Rows of a slice lie apart in memory: an index that counts its elements would miss.
    """
    table = scalar.tensor
    indices = [code.lookup(index) for index in scalar.indices]
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
