"""linalg's attributes: iterator types, the sign of casts, kinds of element-wise ops."""

from __future__ import annotations

from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.enums import Bracketed
from tilewright.ir.dialects.linalg.scalars import FUNCTIONS


class TypeFn(StrEnum):
    """How an op that converts its operands reads integers."""

    CAST_SIGNED = "cast_signed"
    CAST_UNSIGNED = "cast_unsigned"


@irdl_attr_definition
class TypeFnAttr(Bracketed, EnumAttribute[TypeFn]):
    """`#linalg.type_fn<cast_unsigned>`."""

    name = "linalg.type_fn"


@irdl_attr_definition
class ElementwiseKindAttr(Data[str]):
    """`#linalg.elementwise_kind<add>`: a row of the table of scalar functions."""

    name = "linalg.elementwise_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        """`<kind>`."""
        with parser.in_angle_brackets():
            pos = parser.pos
            kind = parser.parse_identifier()
            if kind not in FUNCTIONS:
                known = ", ".join(FUNCTIONS)
                fact = f"expected one of {known}, found '{kind}'"
                parser.raise_error(fact, pos, parser.pos)
        return kind

    def print_parameter(self, printer: Printer) -> None:
        """`<kind>`."""
        with printer.in_angle_brackets():
            printer.print_string(self.data)


__all__ = [
    "ElementwiseKindAttr",
    "IteratorType",
    "IteratorTypeAttr",
    "TypeFn",
    "TypeFnAttr",
]
