"""Build the ops that take the place of one vector op."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects import arith, ub
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ExtractOp,
    ExtractStridedSliceOp,
    InsertOp,
    InsertStridedSliceOp,
    MaskOp,
    ShapeCastOp,
    ShuffleOp,
    TransposeOp,
)
from tilewright.ir.structured.combiners import combining_op
from tilewright.ir.types import element_type, is_vector, vector_type, vector_with
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import Number, filled
from tilewright.transforms.cleanup.driver import TooManyOps
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter


class Steps(OpList):
    """New ops in order, with a method for each op that lowering needs."""

    def add(self, op: Operation) -> SSAValue:
        """Append an op, unless there are too many."""
        _check(len(self.ops))
        return super().add(op)

    def replace(
        self, op: Operation, rewriter: Rewriter, *values: SSAValue | None
    ) -> None:
        """Insert the steps before `op`, and let `values` take its place."""
        for step in self.ops:
            step.location = op.location
        rewriter.insert_before(op, *self.ops)
        rewriter.replace(op, [value for value in values if value is not None])

    def constant(self, number: Number, kind: Attribute) -> SSAValue:
        """A scalar, or a vector with one number in all lanes."""
        return self.add(arith.ConstantOp(filled(number, kind)))

    def poison(self, kind: Attribute) -> SSAValue:
        """A value of which nothing is known."""
        properties = {"value": ub.PoisonAttr()}
        return self.add(ub.PoisonOp.create(result_types=[kind], properties=properties))

    def extract(self, value: SSAValue, *position: SSAValue | int) -> SSAValue:
        """A lane or a part of a vector; the vector itself without a position."""
        if not position and is_vector(value.type) and value.type.get_shape():
            return value
        return self.add(ExtractOp(value, position))

    def insert(
        self, value: SSAValue, into: SSAValue, *position: SSAValue | int
    ) -> SSAValue:
        """A vector with a lane or a part replaced; `value` itself without position."""
        if not position and value.type == into.type:
            return value
        return self.add(InsertOp(value, into, position))

    def extract_box(
        self, value: SSAValue, offsets: Sequence[int], sizes: Sequence[int]
    ) -> SSAValue:
        """A box of a vector, of the same rank."""
        kind = vector_type(value)
        shape = [*sizes, *kind.get_shape()[len(sizes) :]]
        return self.add(
            ExtractStridedSliceOp.create(
                operands=[value],
                result_types=[vector_with(kind.element_type, shape)],
                properties={
                    "offsets": _integers(offsets),
                    "sizes": _integers(sizes),
                    "strides": _integers([1] * len(sizes)),
                },
            )
        )

    def insert_box(
        self, value: SSAValue, into: SSAValue, offsets: Sequence[int]
    ) -> SSAValue:
        """A vector with a box of it replaced."""
        rank = vector_type(value).get_num_dims()
        return self.add(
            InsertStridedSliceOp.create(
                operands=[value, into],
                result_types=[into.type],
                properties={
                    "offsets": _integers(offsets),
                    "strides": _integers([1] * rank),
                },
            )
        )

    def shuffle(
        self, first: SSAValue, second: SSAValue, picks: Sequence[int]
    ) -> SSAValue:
        """The picked lanes of two vectors, one behind the other."""
        return self.add(ShuffleOp(first, second, picks))

    def transpose(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """A vector with its dimensions in another order."""
        return self.add(TransposeOp(value, order))

    def broadcast(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A scalar or a vector repeated to a shape."""
        return self.add(
            BroadcastOp(value, vector_with(element_type(value.type), shape))
        )

    def cast(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A vector under another shape."""
        return self.add(
            ShapeCastOp(value, vector_with(element_type(value.type), shape))
        )

    def binary(
        self,
        kind: type[Operation] | str,
        lhs: SSAValue,
        rhs: SSAValue,
    ) -> SSAValue:
        """Arithmetic on two values of one type."""
        name = kind if isinstance(kind, str) else kind.name
        return self.add(make(name, [lhs, rhs], [lhs.type]))

    def select(self, mask: SSAValue, on: SSAValue, off: SSAValue) -> SSAValue:
        """`on` where the mask is on, else `off`."""
        return self.add(SelectOp(mask, on, off))

    def combine(
        self,
        kind: CombiningKindFlag,
        value: SSAValue,
        total: SSAValue,
        mask: SSAValue | None = None,
    ) -> SSAValue:
        """A step of a reduction; lanes that are off keep the total."""
        combiner = combining_op(kind, element_type(value.type))
        assert combiner is not None, "verified"
        new = self.binary(combiner, value, total)
        return new if mask is None else self.select(mask, new, total)

    def masked(self, op: Operation, mask: SSAValue | None) -> SSAValue:
        """An op, under a mask if there is one."""
        return self.add(op if mask is None else MaskOp(mask, op))


MOST_OPS = 1 << 16
"""Ops, or lanes picked one by one, that may take the place of one vector op."""


def positions(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each index into a shape, the last dimension fastest; refused if too many."""
    _check(prod(shape))
    return product(*(range(extent) for extent in shape))


def _check(number: int) -> None:
    if number > MOST_OPS:
        raise TooManyOps(MOST_OPS)


def root_of(op: Operation) -> tuple[Operation, SSAValue | None]:
    """The op to replace for `op`: the mask around it, if any; and that mask."""
    around = op.parent_op()
    if isinstance(around, MaskOp):
        return around, around.mask
    return op, None


def _integers(numbers: Sequence[int]) -> ArrayAttr[IntegerAttr]:
    return ArrayAttr([IntegerAttr(number, i64) for number in numbers])
