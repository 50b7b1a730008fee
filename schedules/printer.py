"""Transform IR as text of the schedule language.

Comments of the source are gone; names are kept where they do not hide a handle that is
still needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.schedules.verbs import is_part_of_next, read_function, write_statement
from tilewright.transforms.base import ParamType, TransformOpHandleType
from tilewright.transforms.control.constrain import ConstrainParamsOp, text
from tilewright.transforms.control.sequence import IncludeOp, YieldOp
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.interpreter import ENTRY

_RESERVED = frozenset(
    "schedule sequence knob choose require include yield true false or and not".split()
)

_INDENT = "  "


def print_schedule(
    module: ModuleOp,
    name: str,
    library: Mapping[str, NamedSequenceOp],
    header: Sequence[str] = (),
) -> str:
    """The text of a schedule; sequences that the library has alike are left out."""
    parts: list[str] = []
    if header:
        parts.append("\n".join(f"// {line}" if line else "//" for line in header))
    for op in module.ops:
        if not isinstance(op, NamedSequenceOp):
            raise _unwritable(op)
        shared = library.get(op.sym_name.data)
        if shared is None or not op.is_structurally_equivalent(shared):
            parts.append(_Definition(op, name).text)
    return "\n\n".join(parts) + "\n"


class _Definition:
    """Writes one schedule or sequence."""

    def __init__(self, op: NamedSequenceOp, name: str):
        self._lines: list[str] = []
        self._names: dict[SSAValue, str] = {}
        self._in_line: dict[SSAValue, str] = {}
        bound: dict[str, SSAValue] = {}
        parameters: list[str] = []
        for argument in op.body.block.args:
            word = _base(argument)
            while word in bound:
                word += "_"
            bound[word] = argument
            self._names[argument] = word
            parameters.append(
                f"{word}: param" if isinstance(argument.type, ParamType) else word
            )
        if op.sym_name.data == ENTRY:
            title = f"schedule {name}"
        else:
            title = f"sequence {op.sym_name.data}"
        self._lines.append(f"{title}({', '.join(parameters)}) {{")
        self._block(op.body.block, bound, _INDENT)
        self._lines.append("}")

    @property
    def text(self) -> str:
        """The definition."""
        return "\n".join(self._lines)

    # -- verbs.Writer ------------------------------------------------------------

    def name(self, value: SSAValue) -> str:
        """The name of a handle, or the call that makes it."""
        return self._in_line.get(value) or self._names[value]

    def param(self, value: SSAValue) -> str:
        """The name of a parameter, or its value where it has none."""
        return self.name(value)

    def sizes(self, static: Sequence[int], dynamic: Sequence[SSAValue]) -> str:
        """`[0, BM, 32]`."""
        values = iter(dynamic)
        words = [
            self.param(next(values)) if size == DYNAMIC_INDEX else str(size)
            for size in static
        ]
        return f"[{', '.join(words)}]"

    def constant(self, value: Attribute) -> str:
        """A constant attribute."""
        return _constant(value)

    # -- statements --------------------------------------------------------------

    def _block(self, block: Block, bound: Mapping[str, SSAValue], indent: str) -> None:
        bound = dict(bound)
        for op in block.ops:
            if is_part_of_next(op) or self._goes_in_line(op):
                continue
            if isinstance(op, AlternativesOp):
                self._choose(op, bound, indent)
                continue
            if isinstance(op, KnobOp):
                self._knob(op, bound, indent)
                continue
            statement = self._statement(op)
            if statement is not None:
                self._lines.append(f"{indent}{self._bind(op, bound)}{statement}")

    def _knob(self, op: KnobOp, bound: dict[str, SSAValue], indent: str) -> None:
        target = self._bind(op, bound)
        name = op.knob_name.data
        label = "" if target == f"{name} = " else f'"{name}" '
        options = ", ".join(map(_constant, op.options))
        self._lines.append(f"{indent}{target}knob {label}[{options}]")

    def _statement(self, op: Operation) -> str | None:
        if isinstance(op, YieldOp):
            values = ", ".join(map(self.name, op.operands))
            return f"yield {values}" if values else None
        if isinstance(op, ParamConstantOp):
            return _constant(op.value)
        if isinstance(op, ConstrainParamsOp):
            return f"require {text(op, [self.param(param) for param in op.params])}"
        if isinstance(op, IncludeOp):
            arguments = ", ".join(map(self.name, op.args))
            return f"include {op.target.string_value()}({arguments})"
        if (call := read_function(op, self)) is not None:
            return call
        if (statement := write_statement(op, self)) is not None:
            return statement
        raise _unwritable(op)

    def _choose(
        self, op: AlternativesOp, bound: dict[str, SSAValue], indent: str
    ) -> None:
        start = len(self._lines)
        for label, region in zip(op.labels, op.alternatives, strict=True):
            label = label if label.isidentifier() else f"branch_{label}"
            before = len(self._lines)
            self._block(region.block, bound, indent + 2 * _INDENT)
            if len(self._lines) == before:
                self._lines.append(f"{indent}{_INDENT}{label} {{ }}")
            else:
                self._lines.insert(before, f"{indent}{_INDENT}{label} {{")
                self._lines.append(f"{indent}{_INDENT}}}")
        targets = self._bind(op, bound)
        name = op.alternatives_name.data
        self._lines.insert(start, f"{indent}{targets}choose {name} {{")
        self._lines.append(f"{indent}}}")

    def _goes_in_line(self, op: Operation) -> bool:
        """Whether an op is written where its result is used; if so, note its text."""
        if _is_nameless_constant(op):
            self._in_line[op.results[0]] = _constant(op.properties["value"])
            return True
        # A merge may stand in line only where nothing comes between it and its use.
        if (
            isinstance(op, MergeHandlesOp)
            and op.result.name_hint is None
            and op.result.has_one_use()
            and (use := op.result.get_user_of_unique_use()) is not None
            and use is _next_statement(op)
        ):
            self._in_line[op.result] = read_function(op, self) or ""
            return True
        return False

    # -- names -------------------------------------------------------------------

    def _bind(self, op: Operation, bound: dict[str, SSAValue]) -> str:
        """Name the results of `op`: `a, b = `, or nothing if it has none."""
        words: list[str] = []
        for result in op.results:
            base, number = _base(result), 1
            word = base
            while word in words or _is_needed(bound.get(word), op):
                number += 1
                word = f"{base}{number}"
            words.append(word)
        for word, result in zip(words, op.results, strict=True):
            bound[word] = result
            self._names[result] = word
        return f"{', '.join(words)} = " if words else ""


def _is_nameless_constant(op: Operation) -> bool:
    return isinstance(op, ParamConstantOp) and op.param.name_hint is None


def _next_statement(op: Operation) -> Operation | None:
    """The next op that is not written in line."""
    following = op.next_op
    while following is not None and _is_nameless_constant(following):
        following = following.next_op
    return following


def _is_needed(value: SSAValue | None, op: Operation) -> bool:
    """Whether `value` is used after `op` in the block of `op`."""
    if value is None or op.parent is None:
        return False
    for use in value.uses:
        user = op.parent.find_ancestor_op_in_block(use.operation)
        if user is not None and user is not op and op.is_before_in_block(user):
            return True
    return False


def _base(value: SSAValue) -> str:
    """The name a value would like to have."""
    hint = re.sub(r"_\d+$", "", value.name_hint or "")
    if not hint.isidentifier():
        hint = "h" if isinstance(value.type, TransformOpHandleType) else "p"
    return f"{hint}_" if hint in _RESERVED else hint


def _constant(value: Attribute) -> str:
    if isa(value, IntegerAttr):
        if str(value.type) == "i1":
            return "true" if value.value.data else "false"
        return str(value.value.data)
    if isa(value, FloatAttr):
        return repr(value.value.data)
    if isinstance(value, StringAttr):
        return f'"{value.data}"'
    raise UserError(f"{value} has no form in the schedule language")


def _unwritable(op: Operation) -> UserError:
    return UserError(
        f"'{op.name}' has no form in the schedule language",
        place_of(op),
        "write the schedule as MLIR",
    )
