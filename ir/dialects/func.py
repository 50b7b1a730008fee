"""func: functions, calls and returns.

All ops are ours: xDSL's `func` drops the attributes of a declaration's arguments and
does not check their number; `call` and `return` belong to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Dialect,
    Operation,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    CallableOpInterface,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoMemoryEffect,
    ReturnLike,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

Attributes = dict[str, Attribute]


class _Callable(CallableOpInterface):
    """The interface of a callable: its region and its types."""

    @classmethod
    def get_callable_region(cls, op: Operation) -> Region:
        """The function's body."""
        assert isinstance(op, FuncOp)
        return op.body

    @classmethod
    def get_argument_types(cls, op: Operation) -> tuple[Attribute, ...]:
        """The types of its arguments."""
        assert isinstance(op, FuncOp)
        return op.function_type.inputs.data

    @classmethod
    def get_result_types(cls, op: Operation) -> tuple[Attribute, ...]:
        """The types of its results."""
        assert isinstance(op, FuncOp)
        return op.function_type.outputs.data


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function, or a declaration if it has no body."""

    name = "func.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), _Callable())

    def __init__(
        self,
        name: str,
        function_type: FunctionType | tuple[Sequence[Attribute], Sequence[Attribute]],
        region: Region | type[Region.DEFAULT] = Region.DEFAULT,
        visibility: StringAttr | str | None = None,
        *,
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
        res_attrs: ArrayAttr[DictionaryAttr] | None = None,
    ):
        if isinstance(function_type, tuple):
            function_type = FunctionType.from_lists(*function_type)
        if isinstance(visibility, str):
            visibility = StringAttr(visibility)
        if not isinstance(region, Region):
            region = Region(Block(arg_types=function_type.inputs))
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "sym_visibility": visibility,
                "arg_attrs": arg_attrs,
                "res_attrs": res_attrs,
            },
            regions=[region],
        )

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body."""
        return not self.body.blocks

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        """The arguments, inside the body."""
        return self.body.blocks[0].args

    def verify_(self) -> None:
        """The body has the declared arguments; each attribute list has their number."""
        inputs, outputs = self.function_type.inputs, self.function_type.outputs
        for attributes, types, words in (
            (self.arg_attrs, inputs, "arguments"),
            (self.res_attrs, outputs, "results"),
        ):
            if attributes is not None and len(attributes) != len(types):
                raise VerifyException(
                    f"has attributes for {len(attributes)} {words}, expected "
                    f"{len(types)}"
                )
        if self.is_declaration:
            return
        given = [argument.type for argument in self.args]
        if given != list(inputs):
            raise VerifyException(
                f"the body takes ({', '.join(map(str, given))}), expected "
                f"({', '.join(map(str, inputs))})"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`private @name(%a: type {attributes}) -> type attributes {...} {...}`."""
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name().data
        start = parser.pos
        inputs = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: _parse_input(parser)
        )
        named = [argument for argument, _, _ in inputs if argument is not None]
        if named and len(named) != len(inputs):
            parser.raise_error("expected a name for every argument or for none", start)
        outputs = _parse_outputs(parser)
        extra = parser.parse_optional_attr_dict_with_keyword(
            ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
        )
        body = parser.parse_optional_region(named if named else None)
        op = cls(
            name,
            ([type_ for _, type_, _ in inputs], [type_ for type_, _ in outputs]),
            Region() if body is None else body,
            visibility,
            arg_attrs=_dictionaries([attributes for _, _, attributes in inputs]),
            res_attrs=_dictionaries([attributes for _, attributes in outputs]),
        )
        if extra is not None:
            op.attributes |= extra.data
        if (no_inline := op.attributes.pop("no_inline", None)) is not None:
            op.properties["no_inline"] = no_inline
        return op

    def print(self, printer: Printer) -> None:
        """`private @name(%a: type {attributes}) -> type attributes {...} {...}`."""
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        inputs, outputs = self.function_type.inputs, self.function_type.outputs
        names = () if self.is_declaration else self.args
        with printer.in_parens():
            _print_types(printer, inputs.data, self.arg_attrs, names)
        if outputs.data:
            printer.print_string(" -> ")
            if _needs_parentheses(outputs.data, self.res_attrs):
                with printer.in_parens():
                    _print_types(printer, outputs.data, self.res_attrs)
            else:
                printer.print_attribute(outputs.data[0])
        attributes = dict(self.attributes)
        if self.no_inline is not None:
            attributes["no_inline"] = self.no_inline
        printer.print_op_attributes(attributes, print_keyword=True)
        if not self.is_declaration:
            printer.print_string(" ")
            printer.print_region(
                self.body, print_entry_block_args=False, print_empty_block=False
            )


def _parse_input(
    parser: Parser,
) -> tuple[Parser.Argument | None, Attribute, Attributes]:
    argument = parser.parse_optional_argument()
    type_ = parser.parse_type() if argument is None else argument.type
    attributes = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if argument is not None:
        argument.location = location
    return argument, type_, attributes


def _parse_outputs(parser: Parser) -> Sequence[tuple[Attribute, Attributes]]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    outputs = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN,
        lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict()),
    )
    return [(parser.parse_type(), {})] if outputs is None else outputs


def _dictionaries(
    attributes: Sequence[Attributes],
) -> ArrayAttr[DictionaryAttr] | None:
    if not any(attributes):
        return None
    return ArrayAttr([DictionaryAttr(entries) for entries in attributes])


def _needs_parentheses(
    outputs: Sequence[Attribute], attributes: ArrayAttr[DictionaryAttr] | None
) -> bool:
    """A single result needs none unless it has attributes or is a function."""
    plain = attributes is None or not any(entry.data for entry in attributes)
    return len(outputs) != 1 or not plain or isinstance(outputs[0], FunctionType)


def _print_types(
    printer: Printer,
    types: Sequence[Attribute],
    attributes: ArrayAttr[DictionaryAttr] | None,
    names: Sequence[BlockArgument] = (),
) -> None:
    for position, type_ in enumerate(types):
        if position:
            printer.print_string(", ")
        if names:
            printer.print_block_argument(names[position], print_type=False)
            printer.print_string(": ")
        printer.print_attribute(type_)
        if attributes is not None:
            printer.print_op_attributes(attributes.data[position].data)


class _Callee(SymbolUserOpInterface):
    """A call's callee exists and has the call's types."""

    def verify(self, op: Operation) -> None:
        """The function is in the symbol table."""
        assert isinstance(op, CallOp)
        callee = SymbolTable.lookup_symbol(op, op.callee)
        name = op.callee.string_value()
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"'{name}' does not reference a valid function")
        for words, given, expected in (
            ("operands", op.operand_types, callee.function_type.inputs.data),
            ("results", op.result_types, callee.function_type.outputs.data),
        ):
            if tuple(given) != tuple(expected):
                raise VerifyException(
                    f"the {words} of @{name} are ({', '.join(map(str, expected))}), "
                    f"got ({', '.join(map(str, given))})"
                )


@irdl_op_definition
class CallOp(IRDLOperation):
    """Call a function of the same module."""

    name = "func.call"

    arguments = var_operand_def()
    callee = prop_def(FlatSymbolRefAttrConstr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)
    res = var_result_def()

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(_Callee())

    assembly_format = (
        "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        arguments: Sequence[SSAValue | Operation],
        return_types: Sequence[Attribute],
    ):
        callee = SymbolRefAttr(callee) if isinstance(callee, str) else callee
        super().__init__(
            operands=[arguments],
            result_types=[return_types],
            properties={"callee": callee},
        )


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a function, with the values it returns."""

    name = "func.return"

    arguments = var_operand_def()

    traits = traits_def(
        HasParent(FuncOp), IsTerminator(), ReturnLike(), NoMemoryEffect()
    )

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        """The values have the function's result types."""
        function = self.parent_op()
        assert isinstance(function, FuncOp)
        expected = function.function_type.outputs.data
        if self.operand_types != expected:
            raise VerifyException(
                f"returns ({', '.join(map(str, self.operand_types))}), expected "
                f"({', '.join(map(str, expected))})"
            )


Func = Dialect("func", [FuncOp, CallOp, ReturnOp], [])
