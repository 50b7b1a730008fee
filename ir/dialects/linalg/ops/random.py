"""`linalg.fill_rng_2d`: pseudo-random numbers from the indices of an element."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr
from tilewright.ir.dialects.linalg.generic import IndexOp
from tilewright.ir.dialects.linalg.loops import iterators, pointwise_maps, shape_of
from tilewright.ir.dialects.linalg.named import NamedOp, Properties
from tilewright.ir.dialects.linalg.scalars import Body

MULTIPLIER, INCREMENT = 1103515245, 12345
"""Of the linear congruential generator."""
LARGEST, STEP = 2147483647, 2.3283063999999999e-10
"""They bring a signed number of 32 bits to the interval from 0 to 1."""


@irdl_op_definition
class FillRng2DOp(NamedOp):
    """Fill a matrix with numbers between the first two inputs, from a seed."""

    name = "linalg.fill_rng_2d"

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """The lowest number, the highest number, and the seed."""
        return 3

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """Two steps of the generator: one for the row, one for the column."""
        lowest, highest, seed, output = body.args
        f64 = Float64Type()
        if not (lowest.type == highest.type == f64 and seed.type == i32):
            given = ", ".join(str(arg.type) for arg in (lowest, highest, seed))
            raise VerifyException(f"expected inputs of f64, f64, i32, got {given}")
        largest = _converted(body, LARGEST, f64)
        column, row = (
            body.convert(body.append(IndexOp(dim)).results[0], i32) for dim in (1, 0)
        )
        state = _next(body, body.add("arith.addi", row, seed))
        state = _next(body, body.add("arith.addi", column, state))
        number = body.add("arith.addf", largest, body.convert(state, f64))
        width = body.add("arith.subf", highest, lowest)
        step = body.append(ConstantOp(FloatAttr(STEP, f64))).results[0]
        number = body.add("arith.mulf", number, body.add("arith.mulf", width, step))
        return body.convert(body.add("arith.addf", number, lowest), output.type)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The inputs are scalars."""
        return pointwise_maps(2, (True, True, True, False))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Both parallel."""
        return iterators(2)

    def verify_(self) -> None:
        """The output is a matrix."""
        rank = len(shape_of(self.outputs[0].type))
        if rank != 2:
            raise VerifyException(f"expected an output of rank 2, got {rank}")
        super().verify_()


def _next(body: Body, state: SSAValue) -> SSAValue:
    """One step of the generator."""
    scaled = body.add("arith.muli", state, _converted(body, MULTIPLIER, i32))
    return body.add("arith.addi", scaled, _converted(body, INCREMENT, i32))


def _converted(body: Body, number: int, to: Attribute) -> SSAValue:
    """An integer as upstream writes it in bodies: a constant of 64 bits, converted."""
    return body.convert(
        body.append(ConstantOp(IntegerAttr(number, i64))).results[0], to
    )
