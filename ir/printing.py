"""IR to text, in the spelling that real MLIR prints."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer

_Dense: TypeAlias = DenseIntOrFPElementsAttr[AnyDenseElement]


class PayloadPrinter(Printer):
    """xDSL's printer, where upstream spells numbers and dictionaries otherwise."""

    def print_float(self, value: float, type: AnyFloat) -> None:
        """A float; one that has no decimal form by its bits, in capitals."""
        if math.isfinite(value):
            super().print_float(value, type)
            return
        bits = int.from_bytes(type.pack((value,)), "little")
        self.print_string(f"0x{bits:X}")

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        """A dictionary; upstream keeps it in the order of its names."""
        super().print_attr_dict(dict(sorted(attr_dict.items())))

    def print_attribute(self, attribute: Attribute) -> None:
        """An attribute or type."""
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            self._print_dense(cast(_Dense, attribute))
            return
        super().print_attribute(attribute)

    def _print_dense(self, attribute: _Dense) -> None:
        """`dense<...>`; xDSL takes NaNs for different, and fails on no elements."""
        element = attribute.type.element_type
        raw = attribute.data.data
        size = element.compile_time_size
        self.print_string("dense<")
        if raw and raw == raw[:size] * (len(raw) // size):
            self._print_element(element.unpack(raw[:size], 1)[0], element)
        elif raw:
            values = iter(attribute.get_values())
            self._print_rows(values, attribute.get_shape(), element)
        self.print_string("> : ")
        self.print_attribute(attribute.type)

    def _print_rows(
        self, values: Iterator[object], shape: tuple[int, ...], element: AnyDenseElement
    ) -> None:
        if not shape:
            self._print_element(next(values), element)
            return
        with self.in_square_brackets():
            self.print_list(
                range(shape[0]),
                lambda _: self._print_rows(values, shape[1:], element),
            )

    def _print_element(self, value: object, element: AnyDenseElement) -> None:
        if isinstance(element, ComplexType):
            self.print_complex(value, element)  # pyright: ignore[reportArgumentType, reportUnknownArgumentType]
        elif isinstance(element, AnyFloat):
            assert isinstance(value, float | int)
            self.print_float(value, element)
        else:
            assert isinstance(value, int)
            self.print_int(value, element)


def to_text(op: Operation, *, generic: bool = False) -> str:
    """Print an op in upstream's syntax, ending with a newline."""
    stream = io.StringIO()
    PayloadPrinter(stream=stream, print_generic_format=generic).print_op(op)
    return stream.getvalue() + "\n"
