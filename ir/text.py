"""Text to IR and back: a parser that gives every op its place, and the printer.

xDSL's parser records only explicit `loc(...)`; ours attaches file, line and column to
every op, so that later errors can point at the source.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Operation
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
    VerifyException,
)

from tilewright.ir.errors import Note, Place, UserError

_sources: dict[str, list[str]] = {}
"""Lines of every text parsed in this process, by name: the carets need them."""


class _Bits(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """A number of a dense literal that is written in hexadecimal: a float's bits."""

    def to_float(self, parser: AttrParser) -> float:
        """The bits need the type: only `to_type` knows it."""
        parser.raise_error("a hexadecimal float needs its type", self.span)

    def to_type(
        self,
        parser: AttrParser,
        type: AnyFloat | IntegerType | IndexType | ComplexType,
    ) -> Any:
        """`dense<0xFF800000> : vector<8xf32>` is full of -inf; xDSL reads 4.28e9."""
        if not isinstance(type, AnyFloat):
            return super().to_type(parser, type)
        assert isinstance(self.value, int)
        raw = self.value.to_bytes(type.compile_time_size, "little")
        return next(type.iter_unpack(raw))


class _Element(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """One element of a `dense<...>`; xDSL takes hexadecimal floats for integers."""

    def to_type(
        self,
        parser: AttrParser,
        type: AnyFloat | IntegerType | IndexType | ComplexType,
    ) -> Any:
        """The element's value; for a float in hexadecimal, the bits say which."""
        text = str(self.span.text).lower()
        if isinstance(type, AnyFloat) and text.startswith("0x"):
            (value,) = type.unpack(int(text, 16).to_bytes(type.size, "little"), 1)
            return value
        return super().to_type(parser, type)


class _PlacingParser(Parser):
    """xDSL's parser, attaching a source location to every op it parses."""

    _TensorLiteralElement = _Element  # pyright: ignore[reportAssignmentType]

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self._file = StringAttr(name)
        self._starts = [0]
        for index, char in enumerate(text):
            if char == "\n":
                self._starts.append(index + 1)

    def parse_operation(self) -> Operation:
        """Parse one op and note where it began."""
        start = self._current_token.span.start
        try:
            op = super().parse_operation()
        except (VerifyException, DiagnosticException, ValueError, TypeError) as error:
            self.raise_error(_first_line(str(error)), start, self.pos)
        if not isinstance(op.location, FileLineColLoc):
            line = bisect_right(self._starts, start)
            column = start - self._starts[line - 1] + 1
            place = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))
            # A named op's body is not in the text: it stands where the op does.
            for nested in op.walk():
                if not isinstance(nested.location, FileLineColLoc):
                    nested.location = place
        return op

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:
        """Parse one number of a dense literal; hexadecimal ones are bits of a float."""
        is_hexadecimal = self._current_token.text[:2] in ("0x", "0X")
        element = super()._parse_tensor_literal_element()
        if not is_hexadecimal:
            return element
        return _Bits(element.is_negative, element.value, element.span)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        """An op's class; an unknown name is reported where it stands, with a guess."""
        stack = self._parser_state.dialect_stack
        found = self.ctx.get_optional_op(name, dialect_stack=stack)
        if found is not None:
            return found
        content = str(self.lexer.input.content)
        start = max(content.rfind(name, 0, self.pos), 0)
        self.raise_error(_unknown_op(name, self.ctx), start, start + len(name))


RENAMED = {
    "linalg.init_tensor": "tensor.empty",
    "linalg.elemwise_unary": "linalg.generic or linalg.elementwise",
    "linalg.elemwise_binary": "linalg.generic or linalg.elementwise",
    "tensor.pack": "linalg.pack",
    "tensor.unpack": "linalg.unpack",
    "bufferization.to_memref": "bufferization.to_buffer",
}
"""What tutorials still write, and what it is called today."""


def _unknown_op(name: str, context: Context) -> str:
    if name in RENAMED:
        return f"there is no '{name}' any more; it is {RENAMED[name]} today"
    known = [op.name for op in context.loaded_ops]
    near = get_close_matches(name, known, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"the op '{name}' is not supported{hint}"


def place_of(op: Operation) -> Place | None:
    """Where `op` was written, if it came from a text."""
    location = op.location
    if not isinstance(location, FileLineColLoc):
        return None
    return place_at(location.filename.data, location.line.data, location.column.data)


def place_at(name: str, line: int, column: int) -> Place:
    """A place in a text that was parsed in this process, with its line."""
    lines = _sources.get(name, [])
    text = lines[line - 1] if 0 < line <= len(lines) else None
    return Place(name, line, column, text)


def remember_source(name: str, text: str) -> None:
    """Keep a text's lines, so that errors about it can show them."""
    _sources[name] = text.splitlines()


def parse_module(text: str, name: str, context: Context) -> ModuleOp:
    """Parse and verify a module; errors carry place, fact and remedy."""
    remember_source(name, text)
    try:
        module = _PlacingParser(context, text, name).parse_module()
    except ParseError as error:
        raise _parse_failure(error, name) from error
    except (VerifyException, DiagnosticException, ValueError) as error:
        raise UserError(_first_line(str(error)), Place(name, 1, 1)) from error
    verify(module)
    return module


def read_module(path: Path, context: Context) -> ModuleOp:
    """Parse a module from a file."""
    return parse_module(read_text(path), str(path), context)


def read_text(path: Path) -> str:
    """A file's text, with a clear error where it cannot be had."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UserError(f"no such file: {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from error


def verify(op: Operation) -> None:
    """Verify `op` and what is in it, reporting the first violation at its place."""
    for nested in op.walk():
        verify_op(nested)


def verify_op(op: Operation) -> None:
    """Verify `op` alone, reporting a violation at its place."""
    try:
        op.verify(verify_nested_ops=False)
    except VerifyException as error:
        raise UserError(
            f"'{op.name}' op {_first_line(str(error))}", place_of(op)
        ) from error


def to_text(op: Operation, *, generic: bool = False) -> str:
    """Print an op in upstream's syntax, ending with a newline."""
    stream = io.StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(op)
    return stream.getvalue() + "\n"


def _parse_failure(error: ParseError, name: str) -> UserError:
    notes: list[Note] = []
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            line, column = _line_column(str(span.input.content), span.start)
            notes.append(Note(message or "see here", place_at(name, line, column)))
    line, column = _line_column(str(error.span.input.content), error.span.start)
    return UserError(_first_line(error.msg), place_at(name, line, column), None, notes)


def _line_column(content: str, position: int) -> tuple[int, int]:
    line = content.count("\n", 0, position) + 1
    return line, position - (content.rfind("\n", 0, position) + 1) + 1


def _first_line(message: str) -> str:
    lines = [line for line in message.strip().splitlines() if line.strip()]
    return lines[0].strip() if lines else "invalid IR"
