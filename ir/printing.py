"""The printer: IR to text as MLIR prints it."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.printer import Printer

from tilewright.ir.dense_constants import is_splat

_Dense: TypeAlias = DenseIntOrFPElementsAttr[AnyDenseElement]
_MOST_ELEMENTS = 100
"""Upstream prints a constant with more elements than this as its bytes."""


@dataclass(eq=False, repr=False)
class PayloadPrinter(Printer):
    """xDSL's printer with upstream's spelling of numbers and dictionaries."""

    _types: dict[Attribute, str] = field(
        default_factory=dict[Attribute, str], init=False
    )
    """The texts of the types that it has printed."""

    def print_float(self, value: float, type: AnyFloat) -> None:
        """A float in decimal; NaN and infinity by their bits, in capitals."""
        if math.isfinite(value):
            super().print_float(value, type)
            return
        self._print_bits(type.pack((value,)))

    def print_op_attributes(
        self,
        attributes: Mapping[str, Attribute],
        *,
        reserved_attr_names: Iterable[str] = (),
        print_keyword: bool = False,
    ) -> bool:
        """An op's attributes, sorted by name as upstream prints them."""
        return super().print_op_attributes(
            dict(sorted(attributes.items())),
            reserved_attr_names=reserved_attr_names,
            print_keyword=print_keyword,
        )

    def _print_op_properties(self, properties: dict[str, Attribute]) -> None:
        super()._print_op_properties(dict(sorted(properties.items())))

    def print_attribute(self, attribute: Attribute) -> None:
        """An attribute or type."""
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            self._print_dense(cast(_Dense, attribute))
        elif isinstance(attribute, TypeAttribute):
            # Most of a text is types, and few of them are different.
            if (text := self._types.get(attribute)) is None:
                text = self._types[attribute] = self._text_of(attribute)
            self.print_string(text)
        else:
            super().print_attribute(attribute)

    def _text_of(self, attribute: Attribute) -> str:
        """What is printed for an attribute."""
        stream, self.stream = self.stream, io.StringIO()
        column = self._current_column
        try:
            super().print_attribute(attribute)
            return self.stream.getvalue()
        finally:
            self.stream, self._current_column = stream, column

    def _print_dense(self, attribute: _Dense) -> None:
        """`dense<...>`, where xDSL fails on empty constants and on splats of NaN.

        A constant of many elements is printed as its bytes, as upstream does. Of i1,
        upstream packs eight into a byte, which xDSL does not read.
        """
        element = attribute.type.element_type
        raw = attribute.data.data
        size = element.compile_time_size
        self.print_string("dense<")
        if is_splat(attribute):
            self._print_element(raw, element)
        elif len(raw) > _MOST_ELEMENTS * size and _is_plain(element):
            self.print_string(f'"0x{raw.hex().upper()}"')
        elif raw:
            chunks = (raw[at : at + size] for at in range(0, len(raw), size))
            self._print_rows(chunks, attribute.get_shape(), element)
        self.print_string("> : ")
        self.print_attribute(attribute.type)

    def _print_rows(
        self, chunks: Iterator[bytes], shape: tuple[int, ...], element: AnyDenseElement
    ) -> None:
        if not shape:
            self._print_element(next(chunks), element)
            return
        with self.in_square_brackets():
            self.print_list(
                range(shape[0]),
                lambda _: self._print_rows(chunks, shape[1:], element),
            )

    def _print_element(self, raw: bytes, element: AnyDenseElement) -> None:
        value: Any = element.unpack(raw, 1)[0]
        if isinstance(element, ComplexType):
            self.print_complex(value, cast(ComplexType[Any], element))
        elif not isinstance(element, AnyFloat):
            self.print_int(value, element)
        elif math.isfinite(value):
            self.print_float(value, element)
        else:
            # From the bytes: a Python float loses the payload of a NaN.
            self._print_bits(raw)

    def _print_bits(self, raw: bytes) -> None:
        self.print_string(f"0x{int.from_bytes(raw, 'little'):X}")


def _is_plain(element: AnyDenseElement) -> bool:
    """Whether an element of a constant is whole bytes, alike here and upstream."""
    if isinstance(element, ComplexType):
        return False
    return not isinstance(element, IntegerType) or element.width.data % 8 == 0


class NamelessPrinter(PayloadPrinter):
    """A printer that numbers all values."""

    def print_ssa_value(self, value: SSAValue) -> str:
        """A value by its number."""
        if (name := self._ssa_values.get(value)) is None:
            name = self._ssa_values[value] = self._get_new_valid_name_id()
        self.print_string(f"%{name}")
        return name


def to_nameless_text(op: Operation) -> str:
    """Print an op with a number for every value, whatever its name."""
    stream = io.StringIO()
    NamelessPrinter(stream=stream).print_op(op)
    return stream.getvalue() + "\n"


def to_text(op: Operation, *, generic: bool = False) -> str:
    """Print an op in upstream's syntax, ending with a newline."""
    stream = io.StringIO()
    PayloadPrinter(stream=stream, print_generic_format=generic).print_op(op)
    return stream.getvalue() + "\n"
