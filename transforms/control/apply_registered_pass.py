"""`transform.apply_registered_pass`: run a pass of upstream's name on ops.

    %f = transform.apply_registered_pass "canonicalize"
        with options = {"top-down" = false, "region-simplify" = %p}
        to %func : (!transform.any_op, !transform.any_param) -> !transform.any_op

Before and after depend on the pass; `pass_table.py` lists them.

Requires: a pass of this compiler, options that it has, and a target that is isolated
from above, such as a function or a module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import is_array
from tilewright.transforms.control.param_operand import ParamOperandAttr
from tilewright.transforms.control.pass_table import (
    INSTEAD,
    PASSES,
    RegisteredPass,
    is_isolated,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature


@irdl_op_definition
class ApplyRegisteredPassOp(TransformOp):
    """Run a pass on each op; consumes the handle, returns one to the same ops."""

    name = "transform.apply_registered_pass"
    FORM: ClassVar[str] = (
        "run_pass <pass_name:string> on <target:handle> [options = <options:any>]"
    )
    SUMMARY: ClassVar[str] = "run a pass under its upstream name"

    target = operand_def(TransformOpHandleType)
    dynamic_options = var_operand_def(TransformParamHandleType)
    pass_name = prop_def(StringAttr)
    options = prop_def(DictionaryAttr, default_value=DictionaryAttr({}))
    transformed = result_def(TransformOpHandleType)

    def __init__(
        self,
        target: SSAValue,
        pass_name: str,
        options: Mapping[str, Attribute] | None = None,
        dynamic_options: Sequence[SSAValue] = (),
        result_type: Attribute | None = None,
    ):
        super().__init__(
            operands=[target, dynamic_options],
            properties={
                "pass_name": StringAttr(pass_name),
                "options": DictionaryAttr(options or {}),
            },
            result_types=[result_type or AnyOpType()],
        )

    def verify_(self) -> None:
        """Check that each parameter is used exactly once."""
        used = [i for value in self.options.data.values() for i in _placeholders(value)]
        if sorted(used) != list(range(len(self.dynamic_options))):
            raise VerifyException(
                "the options do not name each of the "
                f"{len(self.dynamic_options)} parameters once"
            )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target: a pass may change anything in it."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Check pass, options and targets, then run."""
        chosen = self._pass()
        self._check_options(chosen, state)
        targets = state.payload_ops(self.target)
        for op in targets:
            if not is_isolated(op):
                raise self.refuse(
                    f"a pass runs on ops that are isolated from above, '{op.name}' "
                    "is not",
                    op,
                    self.worded(
                        mlir="pass the function: get_parent_op {isolated_from_above}",
                        tw='give it the function: parent HANDLE "func.func"',
                    ),
                )
            if (flaw := chosen.flaw(op)) is not None:
                raise self.refuse(flaw, op)
        for op in targets:
            chosen.run(op, state.rewriter)
        state.set_ops(self.transformed, targets)

    def _pass(self) -> RegisteredPass:
        name = self.pass_name.data
        if name in PASSES:
            return PASSES[name]
        if name in INSTEAD:
            raise self.broken(f"no pass '{name}'", remedy=f"use {INSTEAD[name]}")
        near = get_close_matches(name, PASSES, 1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise self.broken(
            f"no pass '{name}'", remedy=f"{hint}there are: {', '.join(PASSES)}"
        )

    def _check_options(self, chosen: RegisteredPass, state: TransformState) -> None:
        for name, value in self.options.data.items():
            option = chosen.options.get(name)
            if option is not None:
                given = self._value(value, state)
                if not option.accepts(given):
                    raise self.broken(
                        f"option '{name}' cannot be {given}", remedy=option.values
                    )
                continue
            if (reason := chosen.refused.get(name)) is not None:
                raise self.broken(
                    f"option '{name}' is not supported: {reason}",
                    remedy="leave it out",
                )
            near = get_close_matches(name, chosen.options, 1)
            raise self.broken(
                f"the pass '{self.pass_name.data}' has no option '{name}'",
                remedy=f"did you mean '{near[0]}'?" if near else None,
            )

    def _value(self, value: Attribute, state: TransformState) -> Attribute:
        """An option's value, with parameters replaced by their values."""
        if isinstance(value, ParamOperandAttr):
            handle = self.dynamic_options[value.index.value.data]
            values = state.params(handle)
            return values[0] if len(values) == 1 else ArrayAttr(values)
        if is_array(value):
            return ArrayAttr([self._value(entry, state) for entry in value])
        return value

    @classmethod
    def parse(cls, parser: Parser) -> ApplyRegisteredPassOp:
        """`"name" [with options = {..}] to %target : (types) -> type`."""
        name = parser.parse_str_literal()
        options: dict[str, Attribute] = {}
        parameters: list[UnresolvedOperand] = []
        if parser.parse_optional_keyword("with"):
            parser.parse_keyword("options")
            parser.parse_punctuation("=")
            entries = parser.parse_comma_separated_list(
                Parser.Delimiter.BRACES, lambda: _parse_option(parser, parameters)
            )
            options = dict(entries)
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target, *parameters])
        op = cls(operands[0], name, options, operands[1:], *types)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`"name" [with options = {..}] to %target : (types) -> type`."""
        printer.print_string(" ")
        printer.print_attribute(self.pass_name)
        if self.options.data:
            printer.print_string(" with options = {")
            printer.print_list(
                sorted(self.options.data.items()),
                lambda item: self._print_option(printer, *item),
            )
            printer.print_string("}")
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        print_signature(printer, self)

    def _print_option(self, printer: Printer, name: str, value: Attribute) -> None:
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$.]*", name):
            printer.print_string(name)
        else:
            printer.print_string_literal(name)
        printer.print_string(" = ")
        self._print_value(printer, value)

    def _print_value(self, printer: Printer, value: Attribute) -> None:
        if isinstance(value, ParamOperandAttr):
            printer.print_ssa_value(self.dynamic_options[value.index.value.data])
        elif is_array(value):
            with printer.in_square_brackets():
                printer.print_list(
                    value.data, lambda entry: self._print_value(printer, entry)
                )
        else:
            printer.print_attribute(value)


def _parse_option(
    parser: Parser, parameters: list[UnresolvedOperand]
) -> tuple[str, Attribute]:
    name = parser.parse_optional_str_literal()
    if name is None:
        name = parser.parse_identifier()
    parser.parse_punctuation("=")
    return name, _parse_value(parser, parameters)


def _parse_value(parser: Parser, parameters: list[UnresolvedOperand]) -> Attribute:
    """An attribute, a parameter, or a list of such."""
    parameter = parser.parse_optional_unresolved_operand()
    if parameter is not None:
        parameters.append(parameter)
        return ParamOperandAttr(IntegerAttr(len(parameters) - 1, i64))
    entries = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, lambda: _parse_value(parser, parameters)
    )
    return parser.parse_attribute() if entries is None else ArrayAttr(entries)


def _placeholders(value: Attribute) -> list[int]:
    """The parameters that an option's value refers to, by number."""
    if isinstance(value, ParamOperandAttr):
        return [value.index.value.data]
    if is_array(value):
        return [number for entry in value for number in _placeholders(entry)]
    return []
