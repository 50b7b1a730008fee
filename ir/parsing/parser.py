"""The top layer of the parser: modules, ops with their places, and aliases."""

from __future__ import annotations

from bisect import bisect_right
from difflib import get_close_matches
from typing import Any, NoReturn

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.context import LazyContext
from tilewright.ir.parsing.failures.op_names import unknown_op
from tilewright.ir.parsing.failures.xdsl_messages import clause
from tilewright.ir.parsing.locations import placed
from tilewright.ir.parsing.values import OpenOp, ValueParser

_ALIASES = (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT)

_FROM_XDSL = (DiagnosticException, ValueError, TypeError, NotImplementedError)
"""The exceptions of xDSL that mean an error in the text."""


class PayloadParser(ValueParser):
    """The parser for payloads and schedules."""

    def __init__(self, context: LazyContext, text: str, name: str):
        super().__init__(context, text, name)
        self._context = context
        self._file = StringAttr(name)
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """The whole text: a module, or ops that get a module around them."""
        start = self._current_token.span
        ops: list[Operation] = []
        while self._current_token.kind != MLIRTokenKind.EOF:
            if self._current_token.kind in _ALIASES:
                self._parse_alias_def()
            elif self._current_token.kind == MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (op := self.parse_optional_operation()) is not None:
                ops.append(op)
            elif self._current_token.kind == MLIRTokenKind.R_BRACE:
                self.fail("there is no '{' for this '}'")
            else:
                self.raise_error("expected an operation")
        if not ops:
            self.fail(
                "there is nothing in this text",
                start,
                "a payload has at least a func.func",
            )
        self.check_all_defined()
        if len(ops) == 1 and isinstance(ops[0], ModuleOp):
            return ops[0]
        module = ModuleOp(ops)
        module.location = self._location_at(0)
        return module

    def parse_operation(self) -> Operation:
        """One op, with the place where it begins."""
        start = self._current_token.span.start
        bound = self._parse_op_result_list()
        token = self._current_token
        is_custom = token.kind == MLIRTokenKind.BARE_IDENT
        if is_custom:
            self._consume_token()
            name = token.text
        else:
            name = self.expect(self.parse_optional_str_literal, "expected an operation")
        op_type = self._op_type(name, is_custom, token.span)
        self._parser_state.dialect_stack.append(op_type.dialect_name())
        self.open_ops.append(OpenOp(op_type, is_custom))
        try:
            if is_custom:
                op = self._parse_custom(op_type, token.span)
            else:
                op = self._parse_generic_operation(op_type)
        except _FROM_XDSL as error:
            self.fail(f"'{op_type.name}' op {clause(str(error), name)}", token.span)
        self.put_in_place(op)
        self.open_ops.pop()
        self._parser_state.dialect_stack.pop()
        self._bind_results(op, bound)
        self._place(op, self._location_at(start))
        return op

    def _parse_custom(self, op_type: type[Operation], at: Span[str]) -> Operation:
        if op_type.parse.__func__ is Operation.parse.__func__:  # pyright: ignore[reportFunctionMemberAccess, reportUnknownMemberType]
            self.fail(
                f"'{op_type.name}' has no short form",
                at,
                f'write it as "{op_type.name}"(...) : (...) -> (...)',
            )
        op = op_type.parse(self)
        _read_properties(op)
        location = self.parse_optional_location()
        if location is not None:
            op.location = location
        return op

    def _bind_results(self, op: Operation, bound: list[tuple[Span[str], int]]) -> None:
        """Give the results the names to the left of the `=`."""
        if not bound:
            return
        wanted = sum(size for _, size in bound)
        if wanted != len(op.results):
            self.fail(
                f"'{op.name}' op defines {len(op.results)} results but was provided "
                f"{wanted} to bind",
                bound[0][0],
            )
        first = 0
        for span, size in bound:
            values = op.results[first : first + size]
            self._register_ssa_definition(span.text[1:], values, span)
            first += size

    def _location_at(self, position: int) -> FileLineColLoc:
        line = bisect_right(self._starts, position)
        column = position - self._starts[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    def _place(self, op: Operation, here: FileLineColLoc) -> None:
        """Set the place of an op, and of a body that the text leaves implicit."""
        op.location = placed(op.location, here)
        for region in op.regions:
            for block in region.blocks:
                for nested in block.ops:
                    if isinstance(nested.location, UnknownLoc):
                        self._place(nested, here)

    def _op_type(self, name: str, is_custom: bool, at: Span[str]) -> type[Operation]:
        if is_custom:
            stack = self._parser_state.dialect_stack
            found = self._context.get_optional_op(name, dialect_stack=stack)
        else:
            found = self._context.get_generic_op(name)
        if found is None:
            fact, remedy = unknown_op(name, self._context.op_names(), _line_after(at))
            self.fail(fact, at, remedy)
        return found

    def _parse_alias_def(self) -> None:
        """`#map = affine_map<...>` or `!type = tensor<...>`."""
        token = self._current_token
        self._consume_token()
        name = token.text
        if name in self.attribute_aliases and name not in self.looked_ahead:
            self.fail(f"redefinition of the alias '{name}'", token.span)
        if "." in name:
            self.fail(
                f"the alias '{name}' has a '.', which is for names of dialects",
                token.span,
            )
        self.parse_punctuation("=", f" after the alias '{name}'")
        is_type = token.kind == MLIRTokenKind.EXCLAMATION_IDENT
        value = self.parse_type() if is_type else self.parse_attribute()
        self.attribute_aliases[name] = value

    def _parse_extended_type_or_attribute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Any:
        """A dialect's type or attribute, or an alias."""
        name = attr_or_dialect_name
        sign = "!" if is_type else "#"
        if "." not in name and self._current_token.kind != MLIRTokenKind.LESS:
            alias = self.attribute_aliases.get(sign + name)
            if alias is None:
                self._unknown_alias(sign + name)
            return alias
        if "." in name:
            self._check_known(name, sign)
        return super()._parse_extended_type_or_attribute(name, is_type)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def _unknown_alias(self, name: str) -> NoReturn:
        near = get_close_matches(name, list(self.attribute_aliases), 1)
        remedy = f"define it before: {name} = ..."
        if near:
            remedy = f"did you mean '{near[0]}'?"
        self.fail(f"undefined symbol alias '{name}'", self._before(name), remedy)

    def _check_known(self, name: str, sign: str) -> None:
        known: list[str]
        if sign == "!":
            found: type[Attribute] | None = self.ctx.get_optional_type(name)
            known = [t.name for t in self.ctx.loaded_types]
        else:
            found = self.ctx.get_optional_attr(name)
            known = [a.name for a in self.ctx.loaded_attrs]
        if found is not None:
            return
        near = get_close_matches(name, known, 1)
        what = "type" if sign == "!" else "attribute"
        self.fail(
            f"unknown {what} '{sign}{name}'",
            self._before(sign + name),
            f"did you mean '{sign}{near[0]}'?" if near else None,
        )

    def _before(self, text: str) -> Span[str]:
        """The span of a text that was just read."""
        start = max(str(self.lexer.input.content).rfind(text, 0, self.pos), 0)
        return Span(start, start + len(text), self.lexer.input)


def _read_properties(op: Operation) -> None:
    """Move attributes that the op declares as properties to its properties.

    `merge_handles %a, %b {deduplicate}` means `merge_handles deduplicate %a, %b`:
    upstream stores an attribute as a property if the op declares such a property.
    """
    if not op.attributes or not isinstance(op, IRDLOperation):
        return
    declared = op.get_irdl_definition().properties
    for name in [name for name in op.attributes if name in declared]:
        op.properties[name] = op.attributes.pop(name)


def _line_after(at: Span[str]) -> str:
    """What follows a span, to the end of its line."""
    return at.input.content[at.end :].partition("\n")[0]
