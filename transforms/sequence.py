"""Named sequences, `include` and `yield`: the frame every schedule stands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.dialects.transform import (
    FailurePropagationModeAttr,
    FailurePropagationModeType,
    NamedSequenceOp,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from tilewright.transforms.base import TransformOp
from tilewright.transforms.state import TransformState


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a sequence or a region of one, passing handles out."""

    name = "transform.yield"

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


def declares_consumed(sequence: NamedSequenceOp, position: int) -> bool:
    """Whether a sequence declares that it consumes its argument at `position`."""
    if sequence.arg_attrs is None:
        return False
    return "transform.consumed" in sequence.arg_attrs.data[position].data


@irdl_op_definition
class IncludeOp(TransformOp):
    """Run a named sequence on the given handles, as if it stood here."""

    name = "transform.include"

    target = prop_def(SymbolRefAttr)
    failure_propagation_mode = prop_def(FailurePropagationModeAttr)
    args = var_operand_def()
    res = var_result_def()

    IS_STEP: ClassVar[bool] = False

    def __init__(
        self,
        target: str,
        args: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        mode: FailurePropagationModeAttr,
    ):
        super().__init__(
            operands=[args],
            result_types=[result_types],
            properties={
                "target": SymbolRefAttr(target),
                "failure_propagation_mode": mode,
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> IncludeOp:
        """`@name failures(mode) (%args) : (types) -> types`."""
        target = parser.parse_symbol_name().data
        parser.parse_keyword("failures")
        with parser.in_parens():
            mode = parser.parse_str_enum(FailurePropagationModeType)
        pos = parser.pos
        args = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        op = cls(
            target,
            parser.resolve_operands(args, signature.inputs.data, pos),
            signature.outputs.data,
            FailurePropagationModeAttr(mode),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`@name failures(mode) (%args) : (types) -> types`."""
        printer.print_string(" ")
        printer.print_attribute(self.target)
        printer.print_string(f" failures({self.failure_propagation_mode.data}) (")
        printer.print_list(self.args, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists(self.args.types, self.res.types)
        )

    def apply(self, state: TransformState) -> None:
        """Map the arguments, run the body, map the results."""
        callee = state.run.sequence(self, self.target.string_value())
        parameters = callee.body.block.args
        if len(parameters) != len(self.args):
            raise self.broken(
                f"@{callee.sym_name.data} takes {len(parameters)} arguments, "
                f"got {len(self.args)}"
            )
        for argument, parameter in zip(self.args, parameters, strict=True):
            state.copy_mapping(argument, parameter)
        yielded = state.run.run_block(callee.body.block)
        if len(yielded) != len(self.results):
            raise self.broken(
                f"@{callee.sym_name.data} yields {len(yielded)} handles, "
                f"{len(self.results)} expected"
            )
        for source, result in zip(yielded, self.results, strict=True):
            state.copy_mapping(source, result)
