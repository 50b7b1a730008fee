"""The parts of the text that structured ops share: `ins(...) outs(...) {...} -> t`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.types import is_array

MEMOIZED_MAPS = "linalg.memoized_indexing_maps"
"""Upstream stores the maps of some named ops here and does not print it."""


@dataclass(frozen=True)
class Operands:
    """The text between an op's name and its results."""

    inputs: Sequence[SSAValue]
    outputs: Sequence[SSAValue]
    attributes: Mapping[str, Attribute]


def parse_operands(parser: Parser) -> Operands:
    """`[{...}] [ins(...)] [outs(...)] [{...}]`."""
    attributes = parser.parse_optional_attr_dict()
    inputs = _parse_group(parser, "ins")
    outputs = _parse_group(parser, "outs")
    attributes |= parser.parse_optional_attr_dict()
    attributes.pop(MEMOIZED_MAPS, None)
    return Operands(inputs, outputs, attributes)


def parse_ins_outs(parser: Parser) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """`[ins(...)] [outs(...)]`."""
    return _parse_group(parser, "ins"), _parse_group(parser, "outs")


def _parse_group(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    if not parser.parse_optional_keyword(keyword):
        return ()
    with parser.in_parens():
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        return parser.resolve_operands(names, types, pos)


def parse_results(parser: Parser) -> Sequence[Attribute]:
    """`[-> type]` or `[-> (type, type)]`."""
    if not parser.parse_optional_punctuation("->"):
        return ()
    several = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if several is None else several


def parse_maps(parser: Parser) -> ArrayAttr[AffineMapAttr] | None:
    """`[indexing_maps = [...]]`."""
    if not parser.parse_optional_keyword("indexing_maps"):
        return None
    parser.parse_punctuation("=")
    pos = parser.pos
    maps = as_maps(parser.parse_attribute())
    if maps is None:
        parser.raise_error("expected an array of affine maps", pos, parser.pos)
    return maps


def as_maps(attribute: Attribute | None) -> ArrayAttr[AffineMapAttr] | None:
    """An attribute as indexing maps, if it is an array of nothing but maps."""
    if not is_array(attribute):
        return None
    maps = [entry for entry in attribute if isinstance(entry, AffineMapAttr)]
    return ArrayAttr(maps) if len(maps) == len(attribute) else None


def parse_dimensions(parser: Parser, keyword: str) -> list[int]:
    """`keyword = [1, 0]`."""
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    return parser.parse_comma_separated_list(
        Parser.Delimiter.SQUARE, parser.parse_integer
    )


def print_ins_outs(
    printer: Printer, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
) -> None:
    """` ins(...) outs(...)`."""
    for keyword, values in (("ins", inputs), ("outs", outputs)):
        if not values:
            continue
        printer.print_string(f" {keyword}(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in values], printer.print_attribute)
        printer.print_string(")")


def print_attributes(printer: Printer, attributes: Mapping[str, Attribute]) -> None:
    """` {...}`, without the attributes that upstream does not print."""
    kept = {name: attributes[name] for name in attributes if name != MEMOIZED_MAPS}
    printer.print_op_attributes(kept)


def print_results(printer: Printer, types: Sequence[Attribute]) -> None:
    """` -> type` or ` -> (type, type)`."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


def print_dimensions(printer: Printer, keyword: str, dimensions: Sequence[int]) -> None:
    """` keyword = [1, 0]`."""
    printer.print_string(f" {keyword} = ")
    with printer.in_square_brackets():
        printer.print_list(dimensions, printer.print_int)


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages show it: `[4, ?]`."""
    return f"[{', '.join(map(size_text, shape))}]"


def size_text(size: int) -> str:
    """A size as messages show it: `?` if it is dynamic."""
    return "?" if size == DYNAMIC_INDEX else str(size)
