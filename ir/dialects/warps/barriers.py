"""Barriers: how the warps of a program tell each other that a tile is there, or free.

A barrier counts arrivals, and the bytes of copies that it expects. When both are
complete, its phase ends and the next one begins. `warps.wait` takes the parity of a
phase, as the hardware does: it returns once the phase of that parity has ended. A
barrier that has just been made is in phase 0, and a wait for parity 1 returns at once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i1, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.warps.types import BarriersType


@irdl_op_definition
class BarriersOp(IRDLOperation):
    """Make barriers; a phase of each ends after so many arrivals."""

    name = "warps.barriers"

    arrivals = prop_def(IntegerAttr[I64])
    result = result_def(BarriersType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "`arrivals` $arrivals attr-dict `:` type($result)"

    def __init__(self, slots: int, arrivals: int):
        super().__init__(
            properties={"arrivals": IntegerAttr(arrivals, i64)},
            result_types=[BarriersType(slots)],
        )

    def verify_(self) -> None:
        """A phase needs an arrival, or it would never end."""
        if self.arrivals.value.data < 1:
            raise VerifyException("a phase needs at least one arrival")


@irdl_op_definition
class ExpectOp(IRDLOperation):
    """Arrive at a barrier, whose phase now also waits for so many bytes of copies."""

    name = "warps.expect"

    barriers = operand_def(BarriersType)
    slot = operand_def(i32)
    bytes = prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$barriers `[` $slot `]` `bytes` $bytes attr-dict `:` type($barriers)"
    )

    def __init__(self, barriers: SSAValue, slot: SSAValue, bytes: int):
        super().__init__(
            operands=[barriers, slot], properties={"bytes": IntegerAttr(bytes, i64)}
        )


@irdl_op_definition
class WaitOp(IRDLOperation):
    """Wait until the phase of a parity has ended."""

    name = "warps.wait"

    barriers = operand_def(BarriersType)
    slot = operand_def(i32)
    parity = operand_def(i32)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$barriers `[` $slot `]` `parity` $parity attr-dict `:` type($barriers)"
    )

    def __init__(self, barriers: SSAValue, slot: SSAValue, parity: SSAValue):
        super().__init__(operands=[barriers, slot, parity])


@irdl_op_definition
class ArriveOp(IRDLOperation):
    """Arrive once, after all warps of the partition have come here."""

    name = "warps.arrive"

    barriers = operand_def(BarriersType)
    slot = operand_def(i32)
    condition = opt_operand_def(i1)
    """If it is false, nothing arrives."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$barriers `[` $slot `]` (`if` $condition^)? attr-dict `:` type($barriers)"
    )

    def __init__(
        self, barriers: SSAValue, slot: SSAValue, condition: SSAValue | None = None
    ):
        super().__init__(operands=[barriers, slot, condition])


@irdl_op_definition
class SyncOp(IRDLOperation):
    """Let the warps of a partition wait for one another."""

    name = "warps.sync"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "attr-dict"
