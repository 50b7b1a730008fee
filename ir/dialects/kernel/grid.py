"""Ops that tell a program its place in the launch grid, and its tile."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


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
