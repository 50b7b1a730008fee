"""`loop.get_parent_for`: the loop around an op. Upstream only has it in tutorials.

    %l = transform.loop.get_parent_for %h {num_loops = 2} : (!transform.any_op) -> ...

Today it is written

    %l = transform.get_parent_op %h {op_name = "scf.for", nth_parent = 2} : (...) -> ...

Each loop comes once, however many ops of the handle it is around.

Requires: that many `scf.for` around each op.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i64
from xdsl.ir import Operation
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import scf
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.foreseen import LOOP, Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class GetParentForOp(TransformOp):
    """The loop that stands `num_loops` loops out from each op."""

    name = "transform.loop.get_parent_for"
    ANY_TARGET: ClassVar[bool] = True

    target = operand_def(TransformOpHandleType)
    num_loops = prop_def(IntegerAttr.constr(i64), default_value=IntegerAttr(1, i64))
    affine = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    parent_handle = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check that `num_loops` is positive; there are no affine loops here."""
        if self.num_loops.value.data < 1:
            raise VerifyException("attribute 'num_loops' must be positive")
        if self.affine:
            raise VerifyException(
                "affine.for is no loop of this compiler; leave 'affine' out"
            )

    def foresee(self, results: Foreseen) -> None:
        """A loop around the target."""
        target = results.of(self.target)
        isolated = results.known.isolated_around(target)
        loop = results.make(self.parent_handle, isolated, LOOP)
        results.known.put_inside(target, loop)

    def apply(self, state: TransformState) -> None:
        """Walk outwards from each op."""
        parents = [self._parent(op) for op in state.payload_ops(self.target)]
        state.set_ops(self.parent_handle, dict.fromkeys(parents))

    def _parent(self, op: Operation) -> Operation:
        left = self.num_loops.value.data
        parent = op.parent_op()
        while parent is not None:
            left -= isinstance(parent, scf.ForOp)
            if left == 0:
                return parent
            parent = parent.parent_op()
        raise self.refuse(
            f"there are not {self.num_loops.value.data} scf.for around it",
            op,
            remedy="tile first, or ask for fewer",
        )
