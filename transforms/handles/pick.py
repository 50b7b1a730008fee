"""`transform.tilewright.pick`: the ops of a handle at given positions. Not upstream's.

%mm = transform.tilewright.pick %ops at [3, 17]
    : (!transform.any_op) -> !transform.any_op

Positions count from 0, negative ones from the end; the result has the ops in the order
of the positions. Nothing is consumed. `split_handle` names all ops of a handle, `pick`
the few that are meant.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.phrases import count
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class PickOp(TransformOp):
    """The ops of a handle at given positions, in the order of the positions."""

    name = "transform.tilewright.pick"
    ONLY_LOOKS: ClassVar[bool] = True
    FORM: ClassVar[str] = "pick <target:handle> at <positions:numbers>"
    SUMMARY: ClassVar[str] = "take the ops of a handle at some positions"

    target = operand_def(TransformOpHandleType)
    positions = prop_def(DenseArrayBase.constr(i64))
    picked = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `at` $positions attr-dict `:` functional-type(operands, results)"
    )

    def listed(self) -> list[int]:
        """The positions."""
        return [int(position) for position in self.positions.get_values()]

    def verify_(self) -> None:
        """Check that positions are given, each once."""
        positions = self.listed()
        if not positions:
            raise VerifyException("lists no positions")
        if len(set(positions)) < len(positions):
            raise VerifyException("lists a position twice")

    def foresee(self, results: Foreseen) -> None:
        """Part of the handle."""
        results.parts()

    def apply(self, state: TransformState) -> None:
        """Point the result at the ops at these positions."""
        ops = state.payload_ops(self.target)
        picked: list[Operation] = []
        for position in self.listed():
            if not -len(ops) <= position < len(ops):
                rest = f"the last position is {len(ops) - 1}" if ops else "match again"
                raise self.refuse(
                    f"there is no op {position}, the handle points at "
                    f"{count(len(ops), 'op')}",
                    remedy=f"positions count from 0, or from -1 at the end; {rest}",
                )
            picked.append(ops[position])
        state.set_ops(self.picked, picked)
