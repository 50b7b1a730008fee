"""Partitions: groups of warps of one program that run different code."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, i32, i64
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

WARP_GROUP = 4
"""Warps that a product runs on, and that change their registers together."""

REGISTERS = 65536
"""Registers of a multiprocessor, of 32 bits."""

LEAST_REGISTERS = 24
"""The fewest registers that a thread may be left with."""

MOST_REGISTERS = 256

_STEP = 8
"""Registers are given to threads in multiples of this."""


@irdl_op_definition
class PartitionOp(IRDLOperation):
    """What one group of warps does."""

    name = "warps.partition"

    label = prop_def(StringAttr)
    warps = prop_def(IntegerAttr[I64])
    registers = prop_def(IntegerAttr[I64])
    """Registers of a thread."""
    part = opt_prop_def(IntegerAttr[I64])
    """Which part of the rows it computes, if several partitions share them."""
    body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect(), NoTerminator())

    assembly_format = (
        "$label `warps` $warps `registers` $registers (`part` $part^)? $body attr-dict"
    )

    def __init__(
        self,
        label: str,
        warps: int,
        registers: int,
        body: Block,
        part: int | None = None,
    ):
        super().__init__(
            properties={
                "label": StringAttr(label),
                "warps": IntegerAttr(warps, i64),
                "registers": IntegerAttr(registers, i64),
                "part": None if part is None else IntegerAttr(part, i64),
            },
            regions=[Region(body)],
        )

    def verify_(self) -> None:
        """Registers that the hardware can give to a thread."""
        registers = self.registers.value.data
        if not LEAST_REGISTERS <= registers <= MOST_REGISTERS or registers % _STEP:
            raise VerifyException(
                f"{registers} registers are not a multiple of {_STEP} from "
                f"{LEAST_REGISTERS} to {MOST_REGISTERS}"
            )
        if not isinstance(self.parent_op(), SpecializeOp):
            raise VerifyException("a partition stands in a warps.specialize")


@irdl_op_definition
class SpecializeOp(IRDLOperation):
    """Run partitions at the same time; the op ends when all of them have.

    The first partition runs on the warps of the launch, the others on warps beside
    them. A partition reads values from outside: parameters, rings and barriers.
    """

    name = "warps.specialize"

    body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect(), NoTerminator())

    assembly_format = "$body attr-dict"

    def __init__(self, partitions: Sequence[PartitionOp]):
        super().__init__(regions=[Region(Block(list(partitions)))])

    @property
    def partitions(self) -> tuple[PartitionOp, ...]:
        """The partitions in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, PartitionOp))

    def verify_(self) -> None:
        """The registers suffice: a warp that asks for more would wait forever."""
        if len(self.partitions) != len(list(self.body.block.ops)):
            raise VerifyException("holds partitions only")
        if not self.partitions:
            raise VerifyException("has no partition")
        labels = [partition.label.data for partition in self.partitions]
        if len(set(labels)) != len(labels):
            raise VerifyException(f"two partitions have one name: {labels}")
        asked = [
            (partition.warps.value.data, partition.registers.value.data)
            for partition in self.partitions
        ]
        pool = register_pool([warps for warps, _ in asked])
        wanted = sum(whole_groups(warps) * registers for warps, registers in asked)
        if wanted > pool:
            raise VerifyException(
                f"the partitions ask for {wanted} registers a lane, the launch has "
                f"{pool}: warps would wait for registers forever"
            )


@irdl_op_definition
class PartOp(IRDLOperation):
    """The part of the rows that the partition around it computes."""

    name = "warps.part"

    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[i32])

    def verify_(self) -> None:
        """The partition has a part."""
        if partition_of(self).part is None:
            raise VerifyException("the partition around it has no part")


def partition_of(op: Operation) -> PartitionOp:
    """The partition around an op."""
    around = op.parent_op()
    while around is not None and not isinstance(around, PartitionOp):
        around = around.parent_op()
    if around is None:
        raise VerifyException(f"'{op.name}' stands in a partition only")
    return around


def whole_groups(warps: int) -> int:
    """The warps that a partition takes: whole warp groups share registers."""
    return -(-warps // WARP_GROUP) * WARP_GROUP


def register_pool(warps: Sequence[int]) -> int:
    """The registers of one lane of all warps of a program, at its launch."""
    total = sum(map(whole_groups, warps))
    each = REGISTERS // (32 * total) // _STEP * _STEP
    return min(each, MOST_REGISTERS - 1) // _STEP * _STEP * total
