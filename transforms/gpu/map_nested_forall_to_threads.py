"""`gpu.map_nested_forall_to_threads`: read, and refused with the reason.

    %f = transform.gpu.map_nested_forall_to_threads %func block_dims = [32, 4, 1]
        : (!transform.any_op) -> !transform.any_op

Triton distributes the ops on a tile over the threads of a block by itself; a schedule
says how many warps there are, with `triton.num_warps` on the grid.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature

_WARP = 32


@irdl_op_definition
class MapNestedForallToThreadsOp(TransformOp):
    """Refused: Triton owns what is inside a block."""

    name = "transform.gpu.map_nested_forall_to_threads"

    target = operand_def(TransformOpHandleType)
    block_dims = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    sync_after_distribute = prop_def(BoolAttr, default_value=BoolAttr.from_bool(True))
    warp_size = prop_def(IntegerAttr.constr(i64), default_value=IntegerAttr(_WARP, i64))
    result = result_def(TransformOpHandleType)

    def __init__(
        self,
        target: SSAValue,
        block_dims: Sequence[int],
        *,
        sync_after_distribute: bool = True,
        warp_size: int = _WARP,
        result_type: Attribute | None = None,
    ):
        super().__init__(
            operands=[target],
            properties={
                "block_dims": DenseArrayBase.from_list(i64, list(block_dims)),
                "sync_after_distribute": BoolAttr.from_bool(sync_after_distribute),
                "warp_size": IntegerAttr(warp_size, i64),
            },
            result_types=[result_type or AnyOpType()],
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target, as upstream declares it."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Refuse, with the reason."""
        raise self.broken(
            "threads are not scheduled here: Triton owns what is inside a block",
            remedy="leave it out; "
            + self.worded(
                mlir="the number of warps is 'triton.num_warps' on the grid, set with "
                "transform.annotate",
                tw="'launch' sets the number of warps",
            ),
        )

    @classmethod
    def parse(cls, parser: Parser) -> MapNestedForallToThreadsOp:
        """`%h block_dims = [..] [sync_after_distribute = b] [warp_size = n] : ..`."""
        target = parser.parse_unresolved_operand()
        parser.parse_keyword("block_dims")
        parser.parse_punctuation("=")
        dims = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        sync, warp = True, _WARP
        if parser.parse_optional_keyword("sync_after_distribute"):
            parser.parse_punctuation("=")
            sync = parser.parse_boolean()
        if parser.parse_optional_keyword("warp_size"):
            parser.parse_punctuation("=")
            warp = parser.parse_integer()
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls(
            operands[0],
            dims,
            sync_after_distribute=sync,
            warp_size=warp,
            result_type=types[0],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%h block_dims = [..] [sync_after_distribute = b] [warp_size = n] : ..`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        dims = ", ".join(str(dim) for dim in self.block_dims.get_values())
        printer.print_string(f" block_dims = [{dims}]")
        if not self.sync_after_distribute:
            printer.print_string(" sync_after_distribute = false")
        if self.warp_size.value.data != _WARP:
            printer.print_string(f" warp_size = {self.warp_size.value.data}")
        print_signature(printer, self)
