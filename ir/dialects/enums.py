"""Enum attributes in upstream's usual spelling: `#dialect.name<case>`."""

from __future__ import annotations

from typing import Any

from xdsl.parser import AttrParser
from xdsl.printer import Printer


class Bracketed:
    """A mixin for an `EnumAttribute`: the case is written in angle brackets."""

    data: Any

    def print_parameter(self, printer: Printer) -> None:
        """`<case>`."""
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        """`<case>`."""
        with parser.in_angle_brackets():
            parent: Any = super()
            return parent.parse_parameter(parser)
