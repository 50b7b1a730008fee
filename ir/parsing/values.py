"""The parser's layer of names: values and blocks, their definitions and scopes.

xDSL reports an undefined name at the end of the text, and copies all names at every
region. Here a name is reported where it is used, and a region removes the names that it
added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, NoReturn, cast

from xdsl.context import Context
from xdsl.ir import AttributeInvT, Block, Operation, Region, SSAValue
from xdsl.parser import ForwardDeclaredValue, Parser, UnresolvedOperand
from xdsl.traits import CallableOpInterface, IsolatedFromAbove
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.name_hints import name_hint
from tilewright.ir.parsing.locations import LocationParser


@dataclass(eq=False)
class _Scope:
    """The names that one region defines."""

    outer: _Scope | None
    is_isolated: bool
    names: list[tuple[str, Span[str]]] = field(
        default_factory=list[tuple[str, Span[str]]]
    )

    def visible(self) -> Iterator[tuple[str, Span[str]]]:
        """The names of this region and those around it, up to an isolated one."""
        yield from self.names
        if self.outer is not None and not self.is_isolated:
            yield from self.outer.visible()

    def hidden(self, name: str) -> Span[str] | None:
        """Where `name` is defined outside of the isolated region around."""
        scope: _Scope | None = self
        while scope is not None:
            for known, span in scope.names:
                if known == name:
                    return span
            scope = scope.outer
        return None


class OpenOp(NamedTuple):
    """An op that is being parsed."""

    type: type[Operation]
    is_custom: bool
    """Whether it is written in its own syntax, not in the generic form."""

    @property
    def is_function(self) -> bool:
        """Whether its region is the body of a function, which must not be empty."""
        return self.is_custom and self.type.has_trait(CallableOpInterface)


class ValueParser(LocationParser):
    """Parses operands, definitions and regions."""

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self.open_ops: list[OpenOp] = []
        """The ops that are being parsed, outermost first."""
        self._scope = _Scope(None, False)
        self._defined_at: dict[str, Span[str]] = {}
        """Where each visible name was defined."""
        self._first_uses: dict[ForwardDeclaredValue, tuple[Span[str], _Scope]] = {}
        """The first use of each name that is not defined yet."""
        self._stood_for: dict[SSAValue, SSAValue] = {}
        """The value of each placeholder, for ops that are still being parsed."""

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """The value of a name, or a placeholder if it is defined further down."""
        name = operand.operand_name
        values = self.ssa_values.get(name)
        if values is None:
            references = self.forward_ssa_references.setdefault(name, {})
            value: SSAValue | None = references.get(operand.index)
            if value is None:
                forward = ForwardDeclaredValue(type)
                references[operand.index] = forward
                self._first_uses[forward] = (operand.span, self._scope)
                return forward
            defined_at = self._first_uses[references[operand.index]][0]
        elif operand.index >= len(values):
            self.fail(
                f"there is no '%{name}#{operand.index}'",
                operand.span,
                f"'%{name}' has {_count(len(values), 'value')}",
                [("defined here", self._defined_at[name])],
            )
        else:
            value = values[operand.index]
            defined_at = self._defined_at[name]
        if value.type is not type and value.type != type:
            self.fail(
                f"use of value '%{name}' expects different type than prior uses: "
                f"'{type}' vs '{value.type}'",
                operand.span,
                notes=[("prior use here", defined_at)],
            )
        return cast(SSAValue[AttributeInvT], value)

    def put_in_place(self, op: Operation) -> None:
        """Replace placeholders among an op's operands that its own regions defined."""
        for index, operand in enumerate(op.operands if self._stood_for else ()):
            if operand in self._stood_for:
                op.operands[index] = self._stood_for[operand]

    def _parse_optional_operand_without_type(self) -> SSAValue | None:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            return None
        values = self.ssa_values.get(operand.operand_name)
        if values is None:
            self._undefined(operand.operand_name, operand.span, self._scope)
        index = min(operand.index, len(values) - 1)
        return self.resolve_operand(operand, values[index].type)

    def _register_ssa_definition(
        self, name: str, values: Sequence[SSAValue], span: Span[str]
    ) -> None:
        """Define a name, and replace the placeholders of its earlier uses."""
        if name in self.ssa_values:
            self.fail(
                f"redefinition of SSA value '%{name}'",
                span,
                notes=[("previously defined here", self._defined_at[name])],
            )
        self.ssa_values[name] = tuple(values)
        self._defined_at[name] = span
        self._scope.names.append((name, span))
        for index, forward in self.forward_ssa_references.pop(name, {}).items():
            used_at, _ = self._first_uses.pop(forward)
            if index >= len(values):
                self.fail(
                    f"there is no '%{name}#{index}'",
                    used_at,
                    f"'%{name}' has {_count(len(values), 'value')}",
                    [("defined here", span)],
                )
            value = values[index]
            if forward.type != value.type:
                self.fail(
                    f"definition of SSA value '%{name}' has type '{value.type}'",
                    span,
                    notes=[(f"previously used here with '{forward.type}'", used_at)],
                )
            forward.replace_all_uses_with(value)
            self._stood_for[forward] = value
        hint = name_hint(name)
        for value in values:
            value.name_hint = hint

    def parse_argument(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, *, expect_type: bool = True
    ) -> Any:
        """A block argument with its location: `%a: f32 loc(...)`."""
        argument = super().parse_argument(expect_type=expect_type)
        if isinstance(argument, Parser.Argument):
            argument.location = self.parse_optional_location()
        return argument

    def parse_optional_region(
        self, arguments: Iterable[Parser.Argument] | None = None
    ) -> Region | None:
        """A region `{ ... }`, its entry block with the given arguments."""
        brace = self._current_token.span
        if self.parse_optional_punctuation("{") is None:
            return None
        owner = self.open_ops[-1] if self.open_ops else None
        is_isolated = owner is not None and owner.type.has_trait(IsolatedFromAbove)
        outer = (self.ssa_values, self._defined_at, self.forward_ssa_references)
        outer_blocks = (self.blocks, self.forward_block_references)
        self.blocks, self.forward_block_references = {}, defaultdict(list)
        if is_isolated:
            self.ssa_values, self._defined_at = {}, {}
            self.forward_ssa_references = {}
        self._scope = _Scope(self._scope, is_isolated)

        region = self._parse_blocks(arguments)

        if not region.blocks and owner is not None and owner.is_function:
            self.fail("expected non-empty function body", brace)
        if self.forward_block_references:
            self._undefined_block()
        self.blocks, self.forward_block_references = outer_blocks
        if is_isolated:
            self.check_all_defined()
            self.ssa_values, self._defined_at, self.forward_ssa_references = outer
        else:
            for name, _ in self._scope.names:
                del self.ssa_values[name]
                del self._defined_at[name]
        assert self._scope.outer is not None
        self._scope = self._scope.outer
        return region

    def _parse_blocks(self, arguments: Iterable[Parser.Argument] | None) -> Region:
        """The blocks of a region, up to its `}`."""
        region = Region()
        token = self._current_token
        is_labelled = token.kind == MLIRTokenKind.CARET_IDENT
        if arguments is not None:
            if is_labelled:
                self.raise_error("invalid block name in region with named arguments")
            entry = Block()
            region.add_block(entry)
            for argument in arguments:
                value = entry.insert_arg(argument.type, len(entry.args))
                name = argument.name
                self._register_ssa_definition(name.text[1:], (value,), name)
                if argument.location is not None:
                    value.location = argument.location
            self._parse_block_body(entry)
        elif not is_labelled and token.kind != MLIRTokenKind.R_BRACE:
            entry = Block()
            region.add_block(entry)
            self._parse_block_body(entry)
        while self.parse_optional_punctuation("}") is None:
            region.add_block(self._parse_block())
        return region

    def _parse_block(self) -> Block:
        """A block with its label."""
        token = self._current_token
        _, defined_at = self.blocks.get(token.text[1:], (None, None))
        if token.kind == MLIRTokenKind.CARET_IDENT and defined_at is not None:
            self.fail(
                f"redefinition of block '{token.text}'",
                token.span,
                notes=[("previously defined here", defined_at)],
            )
        block = super()._parse_block()
        block.name_hint = name_hint(block.name_hint)
        return block

    def check_all_defined(self) -> None:
        """Report the first use of a name that is never defined."""
        missing = [
            (*self._first_uses[forward], name)
            for name, references in self.forward_ssa_references.items()
            for forward in references.values()
        ]
        if missing:
            span, scope, name = min(missing, key=lambda use: use[0].start)
            self._undefined(name, span, scope)

    def _undefined(self, name: str, span: Span[str], scope: _Scope) -> NoReturn:
        beyond = scope.hidden(name)
        if beyond is not None:
            self.fail(
                f"use of '%{name}', which is defined outside of an isolated region",
                span,
                "a function sees only its own values: pass it as an argument",
                [("defined here", beyond)],
            )
        known = {text for text, at in scope.visible() if at.start < span.start}
        near = get_close_matches(name, sorted(known), 1)
        self.fail(
            f"use of undeclared SSA value name '%{name}'",
            span,
            f"did you mean '%{near[0]}'?" if near else None,
        )

    def _undefined_block(self) -> NoReturn:
        spans = [
            span for uses in self.forward_block_references.values() for span in uses
        ]
        first = min(spans, key=lambda span: span.start)
        known = [name for name, (_, span) in self.blocks.items() if span is not None]
        near = get_close_matches(first.text[1:], known, 1)
        self.fail(
            f"reference to an undefined block '{first.text}'",
            first,
            f"did you mean '^{near[0]}'?" if near else None,
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
