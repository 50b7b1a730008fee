"""Pieces of syntax that many transform ops share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    IntegerType,
    i1,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa


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


@irdl_custom_directive
class Size(CustomDirective):
    """`custom<Size>($dynamic, $static)`: an integer, or a parameter."""

    dynamic: OptionalOperandVariable
    static: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read `8` or `%p`."""
        handle = parser.parse_optional_unresolved_operand()
        number = DYNAMIC_INDEX if handle is not None else parser.parse_integer()
        state.operands[self.dynamic.index] = () if handle is None else (handle,)
        self.static.set(state, IntegerAttr(number, i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `8` or `%p`."""
        state.print_whitespace(printer)
        number = self.static.get(op)
        if (handle := getattr(op, self.dynamic.name)) is not None:
            printer.print_ssa_value(handle)
        elif isa(number, IntegerAttr):
            printer.print_string(str(number.value.data))


@irdl_custom_directive
class Sizes(CustomDirective):
    """`custom<Sizes>($dynamic, $static)`: `[0, %BM, 32]`."""

    dynamic: VariadicOperandVariable
    static: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read the list."""
        dynamic, static = parse_dynamic_index_list_without_types(
            parser, dynamic_index=DYNAMIC_INDEX
        )
        state.operands[self.dynamic.index] = dynamic
        self.static.set(state, DenseArrayBase.from_list(i64, static))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the list."""
        state.print_whitespace(printer)
        static = self.static.get(op)
        numbers = (
            static.get_values() if isa(static, DenseArrayBase[IntegerType]) else ()
        )
        dynamic = getattr(op, self.dynamic.name)
        print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, numbers)

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether there are sizes."""
        return bool(self.static.get(op))

    def is_anchorable(self) -> bool:
        """It may be left out, in an optional group."""
        return True

    def set_empty(self, state: ParsingState) -> None:
        """No sizes."""
        state.operands[self.dynamic.index] = ()


@irdl_custom_directive
class ScalableSizes(Sizes):
    """`custom<ScalableSizes>($dynamic, $static, $scalable)`: `[4, [8], %BK]`."""

    dynamic: VariadicOperandVariable
    static: AttributeVariable
    scalable: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read the list; scalable sizes are in brackets."""
        dynamic: list[UnresolvedOperand] = []
        scalable: list[bool] = []

        def size() -> int:
            scalable.append(parser.parse_optional_punctuation("[") is not None)
            if scalable[-1]:
                number = parser.parse_integer()
                parser.parse_punctuation("]")
                return number
            if (number := parser.parse_optional_integer()) is not None:
                return number
            dynamic.append(parser.parse_unresolved_operand())
            return DYNAMIC_INDEX

        static = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, size)
        state.operands[self.dynamic.index] = dynamic
        self.static.set(state, DenseArrayBase.from_list(i64, static))
        if any(scalable):
            self.scalable.set(state, DenseArrayBase.from_list(i1, scalable))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the list."""
        scalable = self.scalable.get(op)
        if not isa(scalable, DenseArrayBase[IntegerType]):
            super().print(printer, state, op)
            return
        state.print_whitespace(printer)
        values, static = iter(getattr(op, self.dynamic.name)), self.static.get(op)
        assert isa(static, DenseArrayBase[IntegerType])

        def size(entry: tuple[int, int]) -> None:
            number, is_scalable = entry
            printer.print_string("[" if is_scalable else "")
            if number == DYNAMIC_INDEX:
                printer.print_ssa_value(next(values))
            else:
                printer.print_string(str(number))
            printer.print_string("]" if is_scalable else "")

        with printer.in_square_brackets():
            entries = zip(static.get_values(), scalable.get_values(), strict=True)
            printer.print_list(list(entries), size)


@irdl_custom_directive
class Integers(CustomDirective):
    """`custom<Integers>($field)`: `[1, 0]` for an array of i64 attributes."""

    field: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read the list."""
        numbers = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        self.field.set(state, ArrayAttr([IntegerAttr(n, i64) for n in numbers]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the list."""
        numbers = self.field.get(op)
        assert isa(numbers, ArrayAttr[IntegerAttr])
        state.print_whitespace(printer)
        printer.print_string(str([number.value.data for number in numbers]))

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether there are integers."""
        return bool(self.field.get(op))

    def is_anchorable(self) -> bool:
        """It may be left out, in an optional group."""
        return True
