"""One handle to what several point at, in their order; or a handle several times over.

    %grids = transform.merge_handles %g, %h : !transform.any_op
    %sizes = transform.replicate num(%ops) %size : !transform.any_op, !transform.any_op

`replicate` repeats the payload of a handle as often as another handle has ops, so that
ops which pair their operands find one for each target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.transform import TransformHandleType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class MergeHandlesOp(TransformOp):
    """One handle to what several point at, in their order."""

    name = "transform.merge_handles"
    ONLY_LOOKS: ClassVar[bool] = True
    KEEPS_TYPE: ClassVar[bool] = True

    T: ClassVar = VarConstraint("T", base(TransformHandleType))

    deduplicate = opt_prop_def(UnitAttr)
    handles = var_operand_def(T)
    result = result_def(T)

    assembly_format = (
        "(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)"
    )

    def __init__(self, handles: Sequence[SSAValue], *, deduplicate: bool = False):
        super().__init__(
            operands=[handles],
            properties={"deduplicate": UnitAttr() if deduplicate else None},
            result_types=[handles[0].type],
        )

    def verify_(self) -> None:
        """Check that there are handles, all of the result's type."""
        if not self.handles or any(h.type != self.result.type for h in self.handles):
            raise VerifyException("merges one or more handles of one type")

    def foresee(self, results: Foreseen) -> None:
        """The same payload."""
        results.same()

    def apply(self, state: TransformState) -> None:
        """Concatenate; with `deduplicate`, keep the first of equals."""
        items = [item for handle in self.handles for item in state.items(handle)]
        merged = list(dict.fromkeys(items)) if self.deduplicate is not None else items
        state.set_items(self.result, merged)


@irdl_op_definition
class ReplicateOp(TransformOp):
    """Repeat the payload of handles as often as `pattern` has ops."""

    name = "transform.replicate"

    pattern = operand_def(TransformOpHandleType)
    handles = var_operand_def(TransformHandleType)
    replicated = var_result_def(TransformHandleType)

    @classmethod
    def parse(cls, parser: Parser) -> ReplicateOp:
        """`num(%pattern) %handles : type, types`."""
        parser.parse_keyword("num")
        with parser.in_parens():
            pattern = parser.parse_unresolved_operand()
        handles = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        operands = parser.resolve_operands([pattern, *handles], types, pos)
        op = cls.build(operands=[operands[0], operands[1:]], result_types=[types[1:]])
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`num(%pattern) %handles : type, types`."""
        printer.print_string(" num(")
        printer.print_ssa_value(self.pattern)
        printer.print_string(") ")
        printer.print_list(self.handles, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)

    def verify_(self) -> None:
        """Check that the results have the types of the handles."""
        if self.handles.types != self.replicated.types:
            raise VerifyException("expects results of the types of its handles")

    def foresee(self, results: Foreseen) -> None:
        """The same payload."""
        for handle, result in zip(self.handles, self.replicated, strict=True):
            results.handles[result] = results.of(handle)

    def apply(self, state: TransformState) -> None:
        """Repeat the payload of each handle."""
        times = len(state.payload_ops(self.pattern))
        for handle, result in zip(self.handles, self.replicated, strict=True):
            state.set_items(result, state.items(handle) * times)
