"""Products that run by themselves, and layouts of registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, VectorType, f32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel import element_of, shape_of
from tilewright.ir.dialects.warps.types import (
    DEPTH,
    MmaLayout,
    ViewType,
    is_layout,
)
from tilewright.ir.dtypes import element

COLUMNS_OF_INTEGERS = 128
"""Columns of a product of integers in one instruction: Triton writes none of more than
224, and those of tiles are a power of two. Wider products are several."""


@irdl_op_definition
class DotOp(IRDLOperation):
    """Start a product (wgmma) that is added to an accumulator, or is the result.

    The right operand is in shared memory, the left one there or in registers. The
    result is not there before a `warps.dot_wait` that has it among its operands.
    """

    name = "warps.dot"

    lhs = operand_def()
    rhs = operand_def(ViewType)
    acc = opt_operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$lhs `,` $rhs (`,` $acc^ `:` type($acc))? attr-dict "
        "`:` type($lhs) `,` type($rhs) `to` type($result)"
    )

    def __init__(
        self, lhs: SSAValue, rhs: SSAValue, acc: SSAValue | None, result: Attribute
    ):
        super().__init__(operands=[lhs, rhs, acc], result_types=[result])

    @property
    def layout(self) -> MmaLayout:
        """The layout of registers in which it is left."""
        rhs = self.rhs.type
        assert isinstance(rhs, ViewType)
        of = element(element_of(rhs.tile))
        columns = shape_of(self.result.type)[1]
        if not of.is_float:
            columns = min(columns, COLUMNS_OF_INTEGERS)
        return MmaLayout(columns, DEPTH * 2 // of.byte_width)

    def verify_(self) -> None:
        """M x K times K x N into M x N; M is a multiple of a warp group's 64 rows."""
        lhs, rhs = (
            shape_of(of.tile if isinstance(of, ViewType) else of)
            for of in (self.lhs.type, self.rhs.type)
        )
        result = shape_of(self.result.type)
        if len(lhs) != 2 or len(rhs) != 2 or lhs[1] != rhs[0]:
            raise VerifyException(f"cannot multiply {lhs} by {rhs}")
        if result != (lhs[0], rhs[1]):
            raise VerifyException(f"{lhs} times {rhs} is not {result}")
        if result[0] % 64:
            raise VerifyException(f"{result[0]} rows are not a multiple of 64")
        if self.acc is not None and self.acc.type != self.result.type:
            raise VerifyException("the accumulator has another type than the result")


@irdl_op_definition
class DotWaitOp(IRDLOperation):
    """Wait until at most so many products of this partition run.

    The results are the operands. Those of products that are complete may be read.
    """

    name = "warps.dot_wait"

    pending = prop_def(IntegerAttr[I64])
    values = var_operand_def(VectorType)
    results_ = var_result_def(VectorType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$pending `,` $values attr-dict `:` type($values) `to` type($results_)"
    )

    def __init__(self, pending: int, values: Sequence[SSAValue]):
        super().__init__(
            operands=[values],
            properties={"pending": IntegerAttr(pending, i64)},
            result_types=[[value.type for value in values]],
        )

    def verify_(self) -> None:
        """The results are the operands."""
        if [v.type for v in self.values] != [v.type for v in self.results_]:
            raise VerifyException("gives other types than it takes")


@irdl_op_definition
class PinOp(IRDLOperation):
    """The same tile; what it depends on is computed before the next wait.

    The assembler sees no reason to do so by itself: a wait reads no registers.
    """

    name = "warps.pin"

    T: ClassVar = VarConstraint("T", BaseAttr(VectorType))
    source = operand_def(T)
    result = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$source attr-dict `:` type($source)"

    def __init__(self, source: SSAValue):
        super().__init__(operands=[source], result_types=[source.type])

    def verify_(self) -> None:
        """A number of 32 bits in each lane."""
        if element_of(self.source.type) != f32:
            raise VerifyException(f"pins tiles of f32, not {self.source.type}")


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """The same tile in another layout of registers."""

    name = "warps.convert"

    T: ClassVar = VarConstraint("T", BaseAttr(VectorType))
    source = operand_def(T)
    layout = prop_def(Attribute)
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$source `to` $layout attr-dict `:` type($source)"

    def __init__(self, source: SSAValue, layout: Attribute):
        super().__init__(
            operands=[source],
            properties={"layout": layout},
            result_types=[source.type],
        )

    def verify_(self) -> None:
        """A layout."""
        if not is_layout(self.layout):
            raise VerifyException(f"{self.layout} is no layout of registers")
