"""The parser's layer of numbers: typed scalars, and `dense<...>` in all its forms.

A hexadecimal literal of a float type gives the float's bits. xDSL does so for
scalars, but reads `dense<0xFF800000> : vector<8xf32>` as 4.28e9. Unlike upstream, it
also reads booleans packed into bits (`dense<"0x05">`) as bytes, and accepts integers
for floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyDenseElement,
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    RankedStructure,
    ShapedType,
    Signedness,
    TensorType,
    VectorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.dense_constants import dense_of_bytes
from tilewright.ir.parsing.parse_failure import shown
from tilewright.ir.parsing.types import TypeParser


@dataclass(frozen=True)
class _Number:
    """A literal whose type is not known yet."""

    text: str
    """The literal without its sign."""
    is_negative: bool
    span: Span[str]

    @property
    def is_hexadecimal(self) -> bool:
        return self.text.startswith("0x")

    @property
    def is_word(self) -> bool:
        return self.text in ("true", "false")

    @property
    def is_decimal_float(self) -> bool:
        return not self.is_hexadecimal and "." in self.text


_Element = _Number | tuple[_Number, _Number]
"""An element of a dense literal: a number, or the two parts of a complex number."""


class LiteralParser(TypeParser):
    """Parses numbers and dense literals."""

    def parse_optional_builtin_int_or_float_attr(
        self,
    ) -> IntegerAttr | FloatAttr | None:
        """A scalar attribute: `1 : i32`, `0x7FC0 : bf16`, `true`, `1.0`."""
        number = self._parse_optional_number()
        if number is None:
            return None
        if number.is_word:
            return IntegerAttr(int(number.text == "true"), i1)
        type_: Attribute = f64 if number.is_decimal_float else i64
        if self._current_token.kind == MLIRTokenKind.COLON:
            self._consume_token()
            type_ = self.parse_type()
        if isinstance(type_, AnyFloat):
            raw = self._float_bytes(number, type_)
            return FloatAttr(next(type_.iter_unpack(raw)), type_)
        if _is_integer(type_):
            if number.is_decimal_float:
                self.fail(
                    f"a float literal for the integer type '{type_}'", number.span
                )
            return IntegerAttr(self._integer(number, type_), type_)
        self.fail(f"a number cannot have the type '{type_}'", number.span)

    def parse_optional_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True
    ) -> int | None:
        """An integer in the syntax of an op: a size, an offset, a position."""
        start = self._current_token.span
        number = super().parse_optional_integer(allow_boolean, allow_negative)
        if number == DYNAMIC_INDEX:
            self.fail(f"{number} stands for a size that is not known", start)
        if number is not None and not -(2**63) <= number < 2**63:
            self.fail(f"{shown(str(number))} does not fit i64", start)
        return number

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        """`dense<1.0>`, `dense<[[1, 2], [3, 4]]>`, `dense<"0x0000803F">`, `dense<>`."""
        start = self._current_token.span
        self.parse_punctuation("<", " in dense attribute")
        elements: list[_Element] | None = None
        shape: list[int] = [0]
        packed: tuple[str, Span[str]] | None = None
        if self._current_token.kind == MLIRTokenKind.STRING_LIT:
            span = self._current_token.span
            packed = (self.parse_str_literal(), span)
        elif self._current_token.kind != MLIRTokenKind.GREATER:
            elements, shape = self._parse_elements()
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        count = math.prod(type.get_shape())
        if packed is not None:
            raw = self._unpacked(*packed, type, count)
        elif elements is None:
            if count:
                self.fail(
                    f"no elements, but the type '{type}' has {count}",
                    start,
                    "write one for all of them, or all of them",
                )
            raw = b""
        else:
            raw = b"".join(self._bytes(e, type.element_type) for e in elements)
            if shape and shape != list(type.get_shape()):
                self.fail(
                    f"the literal's shape {shape} is not that of its type, "
                    f"{list(type.get_shape())}",
                    start,
                )
        return dense_of_bytes(type, raw)

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase:
        """`array<i64: 1, 2>`, `array<f32: 0x7F800000>`, `array<i1: true>`."""
        self.parse_punctuation("<", " in array attribute")
        start = self._current_token.span
        type_ = self.parse_type()
        if not isinstance(type_, AnyFloat) and not _is_sized_integer(type_):
            self.fail(f"an array's elements cannot be of type '{type_}'", start)
        raw = b""
        if self.parse_optional_punctuation(":") is not None:
            elements = self.parse_comma_separated_list(
                self.Delimiter.NONE, self._parse_element
            )
            raw = b"".join(self._bytes(element, type_) for element in elements)
        self.parse_punctuation(">", " in array attribute")
        return DenseArrayBase(type_, BytesAttr(raw))

    def _parse_dense_literal_type(self) -> RankedStructure[AnyDenseElement]:
        start = self._current_token.span
        type_ = self.parse_type()
        if not isinstance(type_, TensorType | VectorType | MemRefType):
            self.fail(
                f"a dense literal has a tensor, vector or memref type, not '{type_}'",
                start,
            )
        if DYNAMIC_INDEX in cast(ShapedType, type_).get_shape():
            self.fail(
                f"the type '{type_}' of a dense literal must have a static shape", start
            )
        element = cast(Any, type_).element_type
        if not isinstance(element, IntegerType | IndexType | AnyFloat | ComplexType):
            self.fail(f"a dense literal cannot have elements of '{element}'", start)
        return cast(RankedStructure[AnyDenseElement], type_)

    def _parse_elements(self) -> tuple[list[_Element], list[int]]:
        """The elements in order and the literal's shape, which is `[]` for a splat."""
        token = self._current_token
        if token.kind != MLIRTokenKind.L_SQUARE:
            return [self._parse_element()], []
        parts = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, self._parse_elements
        )
        if not parts:
            return [], [0]
        inner = parts[0][1]
        if any(shape != inner for _, shape in parts):
            self.fail("the rows of the literal differ in length or depth", token.span)
        return [element for row, _ in parts for element in row], [len(parts), *inner]

    def _parse_element(self) -> _Element:
        if self.parse_optional_punctuation("(") is None:
            number = self._parse_optional_number()
            if number is None:
                self.raise_error("expected a number")
            return number
        real = self._parse_element()
        self.parse_punctuation(",", " in a complex number")
        imaginary = self._parse_element()
        self.parse_punctuation(")", " in a complex number")
        if isinstance(real, tuple) or isinstance(imaginary, tuple):
            self.raise_error("expected two plain numbers in a complex one")
        return real, imaginary

    def _parse_optional_number(self) -> _Number | None:
        token = self._current_token
        start = token.span.start
        is_negative = token.kind == MLIRTokenKind.MINUS
        if is_negative:
            self._consume_token()
            token = self._current_token
        numeric = token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT)
        if numeric or (not is_negative and token.text in ("true", "false")):
            self._consume_token()
            span = Span(start, token.span.end, self.lexer.input)
            return _Number(token.text, is_negative, span)
        if is_negative:
            self.raise_error("expected a number after '-'")
        return None

    def _bytes(self, element: _Element, type_: Attribute) -> bytes:
        """The bytes of an element in memory."""
        if isinstance(type_, ComplexType):
            if not isinstance(element, tuple):
                self.fail(f"expected a pair (a, b) for '{type_}'", element.span)
            part = cast(Attribute, type_.element_type)
            return b"".join(self._bytes(number, part) for number in element)
        if isinstance(element, tuple):
            self.fail(f"a complex number for the type '{type_}'", element[0].span)
        if isinstance(type_, AnyFloat):
            return self._float_bytes(element, type_)
        assert _is_integer(type_)
        if element.is_decimal_float:
            self.fail(f"a float literal for the integer type '{type_}'", element.span)
        if element.is_word and type_ != i1:
            self.fail(f"'{element.text}' is of type 'i1', not '{type_}'", element.span)
        return type_.pack((self._integer(element, type_),))

    def _integer(self, number: _Number, type_: IntegerType | IndexType) -> int:
        """The value of an integer as xDSL stores it: its bits read as signed."""
        if number.is_word:
            return -int(number.text == "true")
        value = int(number.text, 16 if number.is_hexadecimal else 10)
        value = -value if number.is_negative else value
        if isinstance(type_, IndexType):
            low, high = -(2**63), 2**63
        else:
            low, high = type_.value_range()
        if not low <= value < high:
            # Python refuses to print thousands of digits.
            is_short = high < 2**128
            written = "-" * number.is_negative + number.text
            self.fail(
                f"{written} does not fit the type '{type_}'",
                number.span,
                f"it holds {low} to {high - 1}" if is_short else None,
            )
        if isinstance(type_, IndexType):
            return value
        return type_.get_normalized_value(value)

    def _float_bytes(self, number: _Number, type_: AnyFloat) -> bytes:
        try:
            size = type_.compile_time_size
            width = type_.bitwidth
        except NotImplementedError:
            self.fail(f"the type '{type_}' is not supported", number.span)
        if number.is_word:
            self.fail(f"'{number.text}' is of type 'i1', not '{type_}'", number.span)
        if number.is_hexadecimal:
            bits = int(number.text, 16)
            if number.is_negative:
                self.fail(
                    "a hexadecimal float has no sign; its first bit is the sign",
                    number.span,
                )
            if bits >= 2**width:
                self.fail(
                    f"hexadecimal float constant out of range for '{type_}', "
                    f"which has {width} bits",
                    number.span,
                )
            return bits.to_bytes(size, "little")
        if "." not in number.text:
            self.fail(
                f"unexpected decimal integer literal for the float type '{type_}'",
                number.span,
                f"write {'-' * number.is_negative}{number.text}.0",
            )
        value = float(number.text)
        value = -value if number.is_negative else value
        try:
            return type_.pack((value,))
        except OverflowError:
            return type_.pack((math.copysign(math.inf, value),))

    def _unpacked(
        self,
        text: str,
        span: Span[str],
        type_: RankedStructure[AnyDenseElement],
        count: int,
    ) -> bytes:
        """The bytes of all elements from a string of hexadecimal digits."""
        try:
            if not text.startswith("0x"):
                raise ValueError
            raw = bytes.fromhex(text[2:])
        except ValueError:
            self.fail(
                "expected a string of hexadecimal digits that starts with 0x", span
            )
        element = type_.element_type
        if element == i1:
            return self._unpacked_bits(raw, span, count)
        size = element.compile_time_size
        if len(raw) == size:
            return raw
        if len(raw) != size * count:
            self.fail(f"{len(raw)} bytes for '{type_}', which has {size * count}", span)
        return raw

    def _unpacked_bits(self, raw: bytes, span: Span[str], count: int) -> bytes:
        """Booleans, eight to a byte; a single byte of equal bits is a splat."""
        if raw in (b"\x00", b"\xff"):
            bits = [raw[0] & 1]
        elif len(raw) == (count + 7) // 8:
            bits = [raw[i // 8] >> (i % 8) & 1 for i in range(count)]
        else:
            self.fail(f"{len(raw)} bytes for {count} booleans", span)
        signless = IntegerType(1, Signedness.SIGNLESS)
        return signless.pack([-bit for bit in bits])


def _is_sized_integer(type_: Attribute) -> TypeGuard[IntegerType]:
    return isinstance(type_, IntegerType)


def _is_integer(type_: Attribute) -> TypeGuard[IntegerType | IndexType]:
    return isinstance(type_, IntegerType | IndexType)
