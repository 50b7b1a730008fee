"""Ops that tell a program its place in the launch grid and its tiles.

Lowering leaves `kernel.each_tile` and `kernel.last_arriver` for passes to expand.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, i32, i64
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.types import PointerType


@irdl_op_definition
class ProgramIdOp(IRDLOperation):
    """The program's index along one of the launch grid's axes."""

    name = "kernel.program_id"

    axis = prop_def(IntegerAttr[I64])
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "$axis attr-dict"

    def __init__(self, axis: int):
        super().__init__(
            properties={"axis": IntegerAttr(axis, i64)}, result_types=[i32]
        )


@irdl_op_definition
class NumProgramsOp(IRDLOperation):
    """How many programs were launched along one of the launch grid's axes."""

    name = "kernel.num_programs"

    axis = prop_def(IntegerAttr[I64])
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "$axis attr-dict"

    def __init__(self, axis: int):
        super().__init__(
            properties={"axis": IntegerAttr(axis, i64)}, result_types=[i32]
        )


@irdl_op_definition
class GroupedTileOp(IRDLOperation):
    """Row and column of a tile whose linear index counts in groups of rows.

    The programs of a group walk down `group` rows of tiles before they move one column
    on, so that the tiles in flight share operands in the L2 cache.
    """

    name = "kernel.grouped_tile"

    T: ClassVar = VarConstraint("T", EqAttrConstraint(i32) | EqAttrConstraint(i64))
    program = operand_def(T)
    rows = operand_def(T)
    columns = operand_def(T)
    group = operand_def(T)
    row = result_def(T)
    column = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$program `of` $rows `by` $columns `group` $group attr-dict `:` type($program)"
    )

    def __init__(
        self, program: SSAValue, rows: SSAValue, columns: SSAValue, group: SSAValue
    ):
        super().__init__(
            operands=[program, rows, columns, group],
            result_types=[program.type, program.type],
        )


@irdl_op_definition
class EachTileOp(IRDLOperation):
    """The work on each tile of a program; ops around it are the same for all tiles.

    The argument of the body is the number of a tile. The first tile of a program has
    the number of the program. The attributes are those of the loop over tiles.
    """

    name = "kernel.each_tile"

    program = operand_def(EqAttrConstraint(i32))
    count = opt_operand_def(EqAttrConstraint(i32) | EqAttrConstraint(i64))
    """The number of tiles, if it is known only at run time."""
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    assembly_format = "$program (`of` $count^ `:` type($count))? $body attr-dict"

    def __init__(self, program: SSAValue, count: SSAValue | None, body: Region):
        super().__init__(operands=[program, count], regions=[body])

    def verify_(self) -> None:
        """The body takes the number of a tile."""
        if [argument.type for argument in self.body.block.args] != [i32]:
            raise VerifyException("needs a body that takes one i32")


@irdl_op_definition
class LastArriverOp(IRDLOperation):
    """The work on a tile that the last of several programs does.

    `arrivals` programs of the launch reach this op for the same tile. `counters` has a
    zero for each tile, before and after the launch.
    """

    name = "kernel.last_arriver"

    counters = operand_def(PointerType)
    tile = operand_def(EqAttrConstraint(i32) | EqAttrConstraint(i64))
    arrivals = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    assembly_format = (
        "$counters `[` $tile `]` `of` $arrivals `:` type($counters) `,` type($tile) "
        "$body attr-dict"
    )

    def __init__(self, counters: SSAValue, tile: SSAValue, arrivals: int, body: Region):
        super().__init__(
            operands=[counters, tile],
            properties={"arrivals": IntegerAttr(arrivals, i64)},
            regions=[body],
        )
