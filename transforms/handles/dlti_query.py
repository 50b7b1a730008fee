"""`transform.dlti.query`: what a table of the payload says, as a parameter.

    %n = transform.dlti.query ["CPU", "cores"] at %f : (!transform.any_op)
        -> !transform.param<i32>

The first of the target and the ops around it that has a DLTI table decides. With
several keys, each value but the last is a table again.

Requires: such a table, which has the keys.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from tilewright.ir.dialects.dlti import Table, tables_around
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class DltiQueryOp(TransformOp):
    """Look keys up in the tables of ops."""

    name = "transform.dlti.query"

    target = operand_def(TransformOpHandleType)
    keys = prop_def(ArrayAttr)
    associated_attr = result_def(TransformParamHandleType)

    assembly_format = (
        "$keys `at` $target attr-dict `:` functional-type(operands, results)"
    )

    def apply(self, state: TransformState) -> None:
        """Look the keys up for each op."""
        found = [self._look_up(op) for op in state.payload_ops(self.target)]
        state.set_params(self.associated_attr, found)

    def _look_up(self, op: Operation) -> Attribute:
        if not self.keys.data:
            raise self.refuse("there are no keys to look up")
        value: Attribute | None = next(tables_around(op), None)
        if value is None:
            raise self.refuse("neither the op nor an op around it has a DLTI table", op)
        for position, key in enumerate(self.keys):
            if not isinstance(value, Table):
                path = ", ".join(map(str, self.keys.data[:position]))
                raise self.refuse(f"the value at [{path}] is no table", op)
            if (inner := value.get(key)) is None:
                raise self.refuse(f"the table {value} has no key {key}", op)
            value = inner
        return value
