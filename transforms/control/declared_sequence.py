"""A named sequence without a body: the name of one that a library defines.

    transform.named_sequence private @tile_it(!transform.any_op {transform.consumed})

`schedules/linking.py` puts the definition of a library in its place. Running a
sequence that is still without a body is an error. The op
reads both forms of `named_sequence`: one with a body becomes xDSL's `NamedSequenceOp`,
which is the only one that the rest of the project has to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class DeclaredSequenceOp(IRDLOperation):
    """A named sequence that is defined elsewhere."""

    name = "transform.named_sequence"

    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    @classmethod
    def create(cls, **parts: Any) -> Operation:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Build from the generic form; with a body, an ordinary named sequence."""
        regions = cast(Sequence[Region], parts.get("regions", ()))
        if any(region.blocks for region in regions):
            return NamedSequenceOp.create(**parts)
        return super().create(**parts)

    @classmethod
    def parse(cls, parser: Parser) -> Operation:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`[visibility] @name(types) [-> types]`, or a sequence with its body."""
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name()
        pos = parser.pos
        inputs = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: _parse_input(parser)
        )
        outputs = _parse_outputs(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        named = [given for given, _ in inputs if isinstance(given, Parser.Argument)]
        if 0 < len(named) < len(inputs):
            parser.raise_error("expected a name for every argument, or for none", pos)
        region = None
        if len(named) == len(inputs):
            region = parser.parse_optional_region(named)
        kind = cls if region is None else NamedSequenceOp
        types = [
            given.type if isinstance(given, Parser.Argument) else given
            for given, _ in inputs
        ]
        return kind.create(
            properties={
                "sym_name": name,
                "function_type": FunctionType.from_lists(
                    types, [output for output, _ in outputs]
                ),
                **({} if visibility is None else {"sym_visibility": visibility}),
                **_marks("arg_attrs", [given for _, given in inputs]),
                **_marks("res_attrs", [given for _, given in outputs]),
            },
            attributes={} if attributes is None else dict(attributes.data),
            regions=[Region() if region is None else region],
        )

    def verify_(self) -> None:
        """Check that every argument says whether it is consumed."""
        marks = self.arg_attrs.data if self.arg_attrs is not None else ()
        for position in range(len(self.function_type.inputs)):
            given: dict[str, Attribute] = (
                dict(marks[position].data) if position < len(marks) else {}
            )
            if len(given.keys() & {"transform.readonly", "transform.consumed"}) != 1:
                raise VerifyException(
                    f"argument #{position} of a sequence without a body must be marked "
                    "either transform.readonly or transform.consumed"
                )

    def print(self, printer: Printer) -> None:
        """`[visibility] @name(types) [-> types]`."""
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        marks = self.arg_attrs.data if self.arg_attrs is not None else ()
        with printer.in_parens():
            for position, kind in enumerate(self.function_type.inputs):
                printer.print_string(", " if position else "")
                printer.print_attribute(kind)
                if position < len(marks):
                    printer.print_op_attributes(dict(marks[position].data))
        if self.function_type.outputs.data:
            printer.print_string(" -> ")
            with printer.in_parens():
                printer.print_list(self.function_type.outputs, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)


_Marks = dict[str, Attribute]


def _parse_input(parser: Parser) -> tuple[Parser.Argument | Attribute, _Marks]:
    """`%name: type {marks} loc(..)` or `type {marks}`."""
    given = parser.parse_optional_argument() or parser.parse_type()
    marks = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if isinstance(given, Parser.Argument) and location is not None:
        given.location = location
    return given, marks


def _parse_outputs(parser: Parser) -> list[tuple[Attribute, _Marks]]:
    """`-> type`, `-> (type {marks}, ..)` or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    several = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN,
        lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict()),
    )
    return [(parser.parse_type(), {})] if several is None else list(several)


def _marks(name: str, marks: Sequence[_Marks]) -> dict[str, Attribute]:
    """The property that holds the marks of all arguments, if there are any."""
    return {name: ArrayAttr(map(DictionaryAttr, marks))} if any(marks) else {}
