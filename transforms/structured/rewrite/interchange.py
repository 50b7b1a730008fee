"""`structured.interchange`: reorder the loops of a generic op.

Before:
    %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, ...], ...

After `interchange %r iterator_interchange = [1, 0]`:
    %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, ...], ...

Loop number i of the new op is loop number `iterator_interchange[i]` of the old one. An
empty permutation changes nothing.

Requires: a `linalg.generic`, and a permutation of all its loops.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.structured.loop_order import reorder_loops
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp


@irdl_op_definition
class InterchangeOp(TargetOp):
    """Reorder loops; consumes the target."""

    name = "transform.structured.interchange"
    FORM: ClassVar[str] = (
        "interchange <target:handle> to <iterator_interchange:numbers>"
    )
    SUMMARY: ClassVar[str] = "reorder the loops of an op"

    iterator_interchange = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    transformed = result_def(TransformOpHandleType)

    assembly_format = (
        "$target (`iterator_interchange` `=` $iterator_interchange^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def _order(self) -> list[int]:
        return [int(loop) for loop in self.iterator_interchange.get_values()]

    def analyze(self, op: Operation) -> GenericOp:
        """Check that `op` is generic and that the order names each of its loops."""
        if not isinstance(op, GenericOp):
            raise self.refuse(
                f"'{op.name}' has its loops in a fixed order", op, "generalize it first"
            )
        order, loops = self._order(), op.get_num_loops()
        if order and sorted(order) != list(range(loops)):
            raise self.refuse(
                f"{order} is not a permutation of its {loops} loops",
                op,
                remedy="name each loop once",
            )
        return op

    def rewrite(self, op: GenericOp, rewriter: Rewriter) -> GenericOp:
        """Change maps, iterator types and indices, in place."""
        if not (order := self._order()):
            return op
        reorder_loops(op, order)
        rewriter.changed(op)
        return op
