"""Arithmetic on tiles that `arith` and `math` do not have."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, VectorType, i1, i64
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.types import element_of, shape_of, tile_of


@irdl_op_definition
class DotOp(IRDLOperation):
    """Matrix product of two tiles, or of two batches, added to an accumulator.

    Without an accumulator the result is the product.
    """

    name = "kernel.dot"

    ACC: ClassVar = VarConstraint("ACC", BaseAttr(VectorType))
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = opt_operand_def(ACC)
    input_precision = opt_prop_def(StringAttr)
    result = result_def(ACC)

    traits = traits_def(Pure())

    assembly_format = (
        "$lhs `,` $rhs (`,` $acc^)? ($input_precision^)? attr-dict "
        "`:` type($lhs) `,` type($rhs) `to` type($result)"
    )

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue | None,
        result: Attribute,
        input_precision: str | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            properties={
                "input_precision": None
                if input_precision is None
                else StringAttr(input_precision)
            },
            result_types=[result],
        )

    def verify_(self) -> None:
        """M x K times K x N into M x N, or batches of these."""
        lhs, rhs, acc = map(shape_of, (self.lhs.type, self.rhs.type, self.result.type))
        if not (len(lhs) == len(rhs) == len(acc) and len(acc) in (2, 3)):
            raise VerifyException("needs matrices, or batches of them")
        *batch, m, k = lhs
        *other, inner, n = rhs
        if k != inner or batch != other or (*batch, m, n) != acc:
            raise VerifyException(f"shapes {lhs}, {rhs} and {acc} do not fit")


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Combine a tile's elements along one axis."""

    name = "kernel.reduce"

    source = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    axis = prop_def(IntegerAttr[I64])
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source $kind `axis` $axis attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, kind: CombiningKindAttr, axis: int):
        shape = list(shape_of(source.type))
        del shape[axis]
        super().__init__(
            operands=[source],
            properties={"kind": kind, "axis": IntegerAttr(axis, i64)},
            result_types=[tile_of(element_of(source.type), shape)],
        )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Combine each element of a tile with those in front of it along one axis."""

    name = "kernel.scan"

    source = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    axis = prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source $kind `axis` $axis attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, kind: CombiningKindAttr, axis: int):
        super().__init__(
            operands=[source],
            properties={"kind": kind, "axis": IntegerAttr(axis, i64)},
            result_types=[source.type],
        )


@irdl_op_definition
class CastOp(IRDLOperation):
    """Convert a scalar or a tile to another element type: `x.to(tl.float16)`."""

    name = "kernel.cast"

    source = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, element: Attribute):
        super().__init__(
            operands=[source],
            result_types=[tile_of(element, shape_of(source.type))],
        )


@irdl_op_definition
class CompareOp(IRDLOperation):
    """Compare two scalars or tiles; NaN compares as in IEEE 754, unequal to all."""

    name = "kernel.compare"

    T: ClassVar = VarConstraint("T", AnyAttr())
    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(StringAttr)
    """One of lt, le, gt, ge, eq, ne; integers compare signed."""
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `to` type($result)"
    )

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": StringAttr(predicate)},
            result_types=[tile_of(i1, shape_of(lhs.type))],
        )

    def verify_(self) -> None:
        """A known predicate."""
        if self.predicate.data not in ("lt", "le", "gt", "ge", "eq", "ne"):
            raise VerifyException(f"unknown predicate '{self.predicate.data}'")
