"""Pieces of syntax that many transform ops share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer


def parse_signature(
    parser: Parser, operands: Sequence[UnresolvedOperand]
) -> tuple[Sequence[SSAValue], list[Attribute]]:
    """Parse `: (types) -> types`; the operands resolved, and the result types."""
    parser.parse_punctuation(":")
    pos = parser.pos
    signature = parser.parse_attribute()
    if not isinstance(signature, FunctionType):
        parser.raise_error("expected a function type", pos)
    resolved = parser.resolve_operands(operands, signature.inputs.data, pos)
    return resolved, list(signature.outputs.data)


def print_signature(printer: Printer, op: Operation) -> None:
    """Print the attributes, then `: (types) -> types`."""
    printer.print_op_attributes(op.attributes)
    print_types(printer, op)


def print_types(printer: Printer, op: Operation) -> None:
    """Print `: (types) -> types`."""
    printer.print_string(" : ")
    printer.print_attribute(
        FunctionType.from_lists(
            [operand.type for operand in op.operands],
            [result.type for result in op.results],
        )
    )
