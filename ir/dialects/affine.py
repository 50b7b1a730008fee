"""affine: `affine.max`, which xDSL lacks, and purity for its twin."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.affine import ApplyOp, MinOp
from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

__all__ = ["Affine", "ApplyOp", "MaxOp", "MinOp"]


@irdl_op_definition
class MaxOp(IRDLOperation):
    """The largest of the results of a map."""

    name = "affine.max"

    arguments = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, arguments: Sequence[SSAValue], map_: AffineMapAttr):
        super().__init__(
            operands=[arguments], properties={"map": map_}, result_types=[IndexType()]
        )

    def verify_(self) -> None:
        """An operand for each dim and symbol."""
        map_ = self.map.data
        if len(self.arguments) != map_.num_dims + map_.num_symbols:
            raise VerifyException(
                "operand count and affine map dimension and symbol count must match"
            )

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        """`map(%dims)[%symbols]`."""
        pos = parser.pos
        attribute = parser.parse_attribute()
        if not isinstance(attribute, AffineMapAttr):
            parser.raise_error("expected an affine map", pos)
        dims = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_operand
        )
        symbols = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_operand
        )
        op = cls([*dims, *(symbols or ())], attribute)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`map(%dims)[%symbols]`."""
        count = self.map.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.map)
        with printer.in_parens():
            printer.print_list(self.arguments[:count], printer.print_ssa_value)
        if len(self.arguments) > count:
            with printer.in_square_brackets():
                printer.print_list(self.arguments[count:], printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


if not MinOp.has_trait(Pure):
    MinOp.traits.add_trait(Pure())

Affine = Dialect(
    "affine", [*affine.Affine.operations, MaxOp], [*affine.Affine.attributes]
)
