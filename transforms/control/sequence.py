"""`sequence`, `include` and `yield`: how schedules are put together.

    transform.sequence %f : !transform.any_op failures(suppress) {
    ^bb0(%g: !transform.any_op):
      ...
    }

`failures(propagate)`: a step that does not apply fails the whole sequence.
`failures(suppress)`: such a step leaves payload and handles as they were, its results
are empty, and the sequence goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FunctionType, IntegerAttr, SymbolRefAttr, i32
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.control.failures import (
    FailureMode,
    parse_failures,
    suppresses,
    verify_mode,
    word_of,
)
from tilewright.transforms.core.base import TransformHandleType, TransformOp
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a sequence or a region of one, passing handles out."""

    name = "transform.yield"

    arguments = var_operand_def(TransformHandleType)

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


def ensure_yield(region: Region) -> None:
    """Add the terminator to a region that was written without one."""
    if not region.blocks:
        region.add_block(Block())
    if not isinstance(region.block.last_op, YieldOp):
        region.block.add_op(YieldOp())


def parse_result_types(parser: Parser) -> Sequence[Attribute]:
    """Parse `[-> types]`, in parentheses or not."""
    if not parser.parse_optional_punctuation("->"):
        return ()
    in_parentheses = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN, parser.parse_type
    )
    if in_parentheses is not None:
        return in_parentheses
    return parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)


def declares_consumed(
    sequence: NamedSequenceOp | DeclaredSequenceOp, position: int
) -> bool:
    """Whether a sequence declares that it consumes its argument at `position`."""
    if sequence.arg_attrs is None:
        return False
    return "transform.consumed" in sequence.arg_attrs.data[position].data


def declares_readonly(
    sequence: NamedSequenceOp | DeclaredSequenceOp, position: int
) -> bool:
    """Whether a sequence declares that it only reads its argument at `position`."""
    if sequence.arg_attrs is None:
        return False
    return "transform.readonly" in sequence.arg_attrs.data[position].data


@irdl_op_definition
class SequenceOp(TransformOp):
    """Run steps on a handle; at the top of a file, on the whole payload."""

    name = "transform.sequence"

    failure_propagation_mode = prop_def(IntegerAttr.constr(i32))
    root = opt_operand_def(TransformHandleType)
    extra_bindings = var_operand_def(TransformHandleType)
    res = var_result_def(TransformHandleType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    IS_STEP: ClassVar[bool] = False

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The operands whose block arguments a step of the body consumes."""
        given = [value for value in (self.root, *self.extra_bindings) if value]
        consumed = consumed_in(self.body.block)
        pairs = zip(given, self.body.block.args, strict=False)
        return [value for value, argument in pairs if argument in consumed]

    @property
    def catches_failures(self) -> bool:
        """Whether it suppresses them."""
        return suppresses(self.failure_propagation_mode)

    def verify_(self) -> None:
        """Check the number of arguments and of yielded values."""
        verify_mode(self.failure_propagation_mode)
        arguments = self.body.block.args
        given = [value for value in (self.root, *self.extra_bindings) if value]
        if not arguments:
            raise VerifyException("expected the entry block to have an argument")
        if given and [v.type for v in given] != [a.type for a in arguments]:
            raise VerifyException("expects the operands' types as block arguments")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or [v.type for v in last.operands] != [
            result.type for result in self.res
        ]:
            raise VerifyException("expects the terminator to yield the results' types")

    @classmethod
    def parse(cls, parser: Parser) -> SequenceOp:
        """`[%root[, %more] : types] [-> types] failures(mode) [attributes] {..}`."""
        pos = parser.pos
        names = []
        if (first := parser.parse_optional_unresolved_operand()) is not None:
            names = [first]
            while parser.parse_optional_punctuation(","):
                names.append(parser.parse_unresolved_operand())
        operands: Sequence[SSAValue] = ()
        if names:
            parser.parse_punctuation(":")
            types = parser.parse_optional_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_type
            ) or parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
            operands = parser.resolve_operands(names, types, pos)
        results = parse_result_types(parser)
        mode = parse_failures(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        ensure_yield(region)
        op = cls.build(
            operands=[operands[:1], operands[1:]],
            result_types=[results],
            properties={"failure_propagation_mode": mode},
            regions=[region],
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`[%root[, %more] : types] [-> types] failures(mode) [attributes] {..}`."""
        if self.root is not None:
            values = [self.root, *self.extra_bindings]
            printer.print_string(" ")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            types = [value.type for value in values]
            if len(types) == 1:
                printer.print_attribute(types[0])
            else:
                with printer.in_parens():
                    printer.print_list(types, printer.print_attribute)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)
        printer.print_string(f" failures({word_of(self.failure_propagation_mode)})")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=bool(self.res))

    def apply(self, state: TransformState) -> None:
        """Run the body on the operands, or on the whole payload."""
        arguments = self.body.block.args
        given = [value for value in (self.root, *self.extra_bindings) if value]
        for source, argument in zip(given, arguments, strict=bool(given)):
            state.copy_mapping(source, argument)
        if not given:
            bind_root(self, state)
        yielded = state.run.run_block(
            self.body.block, suppress=suppresses(self.failure_propagation_mode)
        )
        for source, result in zip(yielded, self.res, strict=True):
            state.copy_mapping(source, result)


def bind_root(sequence: SequenceOp, state: TransformState) -> None:
    """Bind the arguments of a top-level sequence to the payload and its ops."""
    first, *others = sequence.body.block.args
    state.set_ops(first, [state.root])
    if others:
        raise sequence.broken(
            f"takes {1 + len(others)} arguments, and there is one payload"
        )


def consumed_in(block: Block) -> set[SSAValue]:
    """The handles that some step of a block, nested ones included, consumes."""
    found: set[SSAValue] = set()
    for op in block.walk():
        if isinstance(op, TransformOp):
            found.update(op.consumed_handles())
    return found


@irdl_op_definition
class IncludeOp(TransformOp):
    """Run a named sequence on the given handles, as if it stood here."""

    name = "transform.include"

    target = prop_def(SymbolRefAttr)
    failure_propagation_mode = prop_def(IntegerAttr.constr(i32))
    args = var_operand_def()
    res = var_result_def()

    IS_STEP: ClassVar[bool] = False

    def __init__(
        self,
        target: str,
        args: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        mode: FailureMode,
    ):
        super().__init__(
            operands=[args],
            result_types=[result_types],
            properties={
                "target": SymbolRefAttr(target),
                "failure_propagation_mode": mode,
            },
        )

    @property
    def catches_failures(self) -> bool:
        """Whether it suppresses them."""
        return suppresses(self.failure_propagation_mode)

    def verify_(self) -> None:
        """Check the failure propagation mode."""
        verify_mode(self.failure_propagation_mode)

    @classmethod
    def parse(cls, parser: Parser) -> IncludeOp:
        """`@name failures(mode) (%args) : (types) -> types`."""
        target = parser.parse_symbol_name().data
        mode = parse_failures(parser)
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
            mode,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`@name failures(mode) (%args) : (types) -> types`."""
        printer.print_string(" ")
        printer.print_attribute(self.target)
        printer.print_string(f" failures({word_of(self.failure_propagation_mode)}) (")
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
        name = callee.sym_name.data
        if name in state.run.running:
            raise self.broken(
                f"@{name} would include itself", remedy="use foreach, or write it out"
            )
        parameters = callee.body.block.args
        if len(parameters) != len(self.args):
            raise self.broken(
                f"@{name} takes {len(parameters)} arguments, got {len(self.args)}"
            )
        for argument, parameter in zip(self.args, parameters, strict=True):
            state.copy_mapping(argument, parameter)
        state.run.running.append(name)
        try:
            yielded = state.run.run_block(
                callee.body.block, suppress=suppresses(self.failure_propagation_mode)
            )
        finally:
            state.run.running.pop()
        if len(yielded) != len(self.results):
            raise self.broken(
                f"@{name} yields {len(yielded)} handles, {len(self.results)} expected"
            )
        for source, result in zip(yielded, self.results, strict=True):
            state.copy_mapping(source, result)
