"""Launches of kernels and their order among streams.

These ops occur in the launcher, never in a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList, split_dynamic_index_list
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.types import EventType


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Launch a kernel on buffers and numbers.

    A buffer that the kernel takes as a descriptor is wrapped in one. An index is
    converted to the width of the kernel's parameter.
    """

    name = "kernel.launch"

    kernel = prop_def(SymbolRefAttr)
    buffers = var_operand_def(MemRefType)
    scalars = var_operand_def()
    counts = var_operand_def(IndexType)
    grid = prop_def(DenseArrayBase.constr(i64))
    """Programs along the launch axes 0, 1, 2; dynamic counts are in `counts`."""
    persistent = opt_prop_def(IntegerAttr[I64])
    """Launch at most this many programs per multiprocessor; they share the grid."""
    num_warps = prop_def(IntegerAttr[I64])
    num_stages = prop_def(IntegerAttr[I64])
    stream = opt_prop_def(IntegerAttr[I64])
    """The stream; without it, the caller's."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)

    assembly_format = (
        "$kernel `(` $buffers `)` (`scalars` `(` $scalars^ `:` type($scalars) `)`)? "
        "`grid` custom<DynamicIndexList>($counts, $grid) (`persistent` $persistent^)? "
        "`warps` $num_warps `stages` $num_stages (`stream` $stream^)? attr-dict "
        "`:` type($buffers)"
    )

    def __init__(
        self,
        kernel: str,
        buffers: Sequence[SSAValue],
        grid: Sequence[SSAValue | int],
        num_warps: int,
        num_stages: int,
        persistent: int = 0,
        stream: int = 0,
        scalars: Sequence[SSAValue] = (),
    ):
        static, counts = split_dynamic_index_list(grid, DYNAMIC_INDEX)
        super().__init__(
            operands=[buffers, scalars, counts],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "grid": DenseArrayBase.from_list(i64, static),
                "persistent": IntegerAttr(persistent, i64) if persistent else None,
                "num_warps": IntegerAttr(num_warps, i64),
                "num_stages": IntegerAttr(num_stages, i64),
                "stream": IntegerAttr(stream, i64) if stream else None,
            },
        )


@irdl_op_definition
class RequireOp(IRDLOperation):
    """Stop the launcher with a message, unless a condition on sizes holds.

    `{0}` and `{1}` in the message stand for the two numbers compared.
    """

    name = "kernel.require"

    predicate = prop_def(StringAttr)
    """One of le, ge, eq."""
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    message = prop_def(StringAttr)

    # The effects keep it from being erased, and launches from moving in front of it.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$predicate $lhs `,` $rhs `,` $message attr-dict"

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue, message: str):
        super().__init__(
            operands=[lhs, rhs],
            properties={
                "predicate": StringAttr(predicate),
                "message": StringAttr(message),
            },
        )

    def verify_(self) -> None:
        """A known predicate."""
        if self.predicate.data not in ("le", "ge", "eq"):
            raise VerifyException(f"unknown predicate '{self.predicate.data}'")


@irdl_op_definition
class CountersOp(IRDLOperation):
    """Zeroed counters; every launch that uses them resets them to zero."""

    name = "kernel.counters"

    buffer = result_def(MemRefType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "attr-dict `:` type($buffer)"

    def __init__(self, count: int):
        super().__init__(result_types=[MemRefType(i32, [count])])


@irdl_op_definition
class RecordOp(IRDLOperation):
    """An event after the work queued on a stream so far; 0 is the caller's stream."""

    name = "kernel.record"

    stream = prop_def(IntegerAttr[I64])
    event = result_def(EventType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$stream attr-dict"

    def __init__(self, stream: int):
        super().__init__(
            properties={"stream": IntegerAttr(stream, i64)},
            result_types=[EventType()],
        )


@irdl_op_definition
class WaitOp(IRDLOperation):
    """Make the later work of a stream wait for an event of another stream."""

    name = "kernel.wait"

    event = operand_def(EventType)
    stream = prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$stream `for` $event attr-dict"

    def __init__(self, stream: int, event: SSAValue):
        super().__init__(
            operands=[event], properties={"stream": IntegerAttr(stream, i64)}
        )
