"""Lowers the tree of a schedule to transform IR; every op has its statement's place.

Errors are collected. A wrong statement is left out and the names that it would have
bound are marked; statements that use a marked name are left out without another error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.transform import (
    NamedSequenceOp,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.phrases import count, did_you_mean
from tilewright.ir.text import place_of
from tilewright.schedules.language.lowering.blocks import lower_blocks
from tilewright.schedules.language.lowering.choice_labels import choices_of
from tilewright.schedules.language.lowering.orders import (
    check_order,
    distinct,
    loop_orders,
    step_orders,
)
from tilewright.schedules.language.lowering.scope import Scope, Skip, location_of
from tilewright.schedules.language.lowering.statements import check_kinds, lower_simple
from tilewright.schedules.language.lowering.targets import check_targets, targets_of
from tilewright.schedules.language.syntax import (
    Action,
    Assign,
    Choose,
    Constant,
    Definition,
    File,
    ForEach,
    Guarded,
    Include,
    Knob,
    Literal,
    Name,
    Order,
    Parameter,
    Permute,
    Require,
    Statement,
    Try,
    Yield,
)
from tilewright.schedules.language.verbs.attribute_text import kind_type
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.failures import failure_mode
from tilewright.transforms.control.sequence import (
    IncludeOp,
    YieldOp,
    declares_consumed,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    OperationType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.interpreter import ENTRY

NAMED_SEQUENCES = "transform.with_named_sequence"
"""The attribute upstream wants on a module that holds named sequences."""


@dataclass(frozen=True)
class Lowered:
    """A lowered file: its module, its name, and the errors in it."""

    module: ModuleOp
    name: str
    errors: tuple[UserError, ...]


def lower(file: File, library: Mapping[str, Definition] | None = None) -> Lowered:
    """Lower a file; `library` has sequences that need no definition in the file."""
    return _Lowering(file, library or {}).run()


class _Lowering:
    """Lowers one file."""

    def __init__(self, file: File, library: Mapping[str, Definition]):
        self._file = file
        self.errors: list[UserError] = []
        self._sequences: dict[str, NamedSequenceOp] = {}
        self._open: list[str] = []
        self._failed: set[str] = set()
        self._knobs: dict[str, KnobOp] = {}
        self._orders: dict[str, Order] = {}
        """The open orders of loops."""
        self._definitions = dict(library)
        for definition in file.definitions:
            if not definition.is_schedule:
                self._definitions[definition.name.text] = definition
        bodies = [d.body for d in (*file.definitions, *library.values())]
        self._choices = dict(choices_of(bodies))

    def run(self) -> Lowered:
        """Lower the file's sequences, the sequences they include, and the schedule."""
        schedules = [d for d in self._file.definitions if d.is_schedule]
        self._check_definitions(schedules)
        for definition in self._file.definitions:
            if not definition.is_schedule:
                with suppress(Skip):
                    self._sequence(definition.name)
        main = [self._define(schedule, ENTRY) for schedule in schedules[:1]]
        module = ModuleOp(
            [*self._sequences.values(), *main], {NAMED_SEQUENCES: UnitAttr()}
        )
        name = schedules[0].name.text if schedules else "library"
        module.sym_name = StringAttr(name)
        return Lowered(module, name, tuple(self.errors))

    def _check_definitions(self, schedules: Sequence[Definition]) -> None:
        seen: dict[str, Name] = {}
        for definition in self._file.definitions:
            name = definition.name
            if (first := seen.setdefault(name.text, name)) is not name:
                self.report(
                    f"'{name.text}' is defined twice",
                    name.place,
                    "rename one",
                    [Note("the first is here", first.place)],
                )
        for schedule in schedules[1:]:
            self.report(
                "a file holds one schedule",
                schedule.place,
                "make it a sequence and include it, or move it to another file",
            )

    def report(
        self,
        fact: str,
        place: Place,
        remedy: str | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        """Record an error and continue."""
        self.errors.append(UserError(fact, place, remedy, list(notes)))

    # -- definitions -------------------------------------------------------------

    def _sequence(self, name: Name) -> NamedSequenceOp:
        """The sequence of this name, lowered the first time it is needed."""
        if (done := self._sequences.get(name.text)) is not None:
            return done
        definition = self._definitions.get(name.text)
        if definition is None:
            module = name.text.rpartition(".")[0]
            raise UserError(
                f"include: no sequence '{name.text}'",
                name.place,
                did_you_mean(name.text, list(self._definitions))
                or (
                    f"import its file first: import {module}"
                    if module
                    else "define it in this file: sequence NAME(HANDLE) { ... }"
                ),
            )
        if name.text in self._open:
            raise UserError(
                f"'{name.text}' includes itself",
                name.place,
                "take the include out; 'for each' repeats steps for every op",
            )
        if name.text in self._failed:
            raise Skip
        self._open.append(name.text)
        knobs, self._knobs = self._knobs, {}
        orders, self._orders = self._orders, {}
        try:
            op = self._define(definition, name.text)
        except Skip:
            self._failed.add(name.text)
            raise
        finally:
            self._knobs, self._orders = knobs, orders
            self._open.pop()
        self._sequences[name.text] = op
        return op

    def _define(self, definition: Definition, symbol: str) -> NamedSequenceOp:
        types = [self._parameter_type(p) for p in definition.parameters]
        if definition.is_schedule and not (
            types
            and isinstance(types[0], TransformOpHandleType)
            and all(isinstance(of, OperationType) for of in types[1:])
        ):
            self.report(
                "a schedule takes one handle, the root of the payload",
                definition.name.place,
                f"write: schedule {definition.name.text}(root) {{ ... }}",
            )
        block = Block(arg_types=types)
        scope = Scope(block, choices=self._choices)
        for parameter, argument in zip(definition.parameters, block.args, strict=True):
            scope.bind(parameter.name.text, argument)
        yielded = self.body(
            definition.body, scope, definition.end, not definition.is_schedule
        )
        op = NamedSequenceOp(
            symbol,
            (types, [value.type for value in yielded]),
            Region(block),
            arg_attrs=[
                DictionaryAttr({self._effect_on(argument): UnitAttr()})
                for argument in block.args
            ],
        )
        op.location = location_of(definition.name.place)
        return op

    def _parameter_type(self, parameter: Parameter) -> Attribute:
        if parameter.kind is None:
            return AnyOpType()
        try:
            return kind_type(parameter.kind)
        except UserError as error:
            self.errors.append(error)
            return AnyOpType()

    def _effect_on(self, argument: SSAValue) -> str:
        """The attribute that says whether a sequence consumes its argument."""
        for use in argument.uses:
            user = use.operation
            if isinstance(user, IncludeOp):
                callee = self._sequences[user.target.string_value()]
                if declares_consumed(callee, use.index):
                    return "transform.consumed"
            elif isinstance(user, TransformOp) and argument in user.consumed_handles():
                return "transform.consumed"
        return "transform.readonly"

    def body(
        self, body: Sequence[Statement], scope: Scope, end: Place, may_yield: bool
    ) -> tuple[SSAValue, ...]:
        """Lower statements into the scope's block, and give the values they yield."""
        yielded: tuple[SSAValue, ...] = ()
        for position, statement in enumerate(body):
            if not isinstance(statement, Yield):
                self._statement(statement, scope)
            elif not may_yield:
                self.report(
                    "a schedule cannot yield values",
                    statement.place,
                    "remove it; only branches and sequences yield",
                )
            elif position != len(body) - 1:
                self.report(
                    "'yield' is not the last statement",
                    statement.place,
                    "move it to the end of its block",
                )
            else:
                yielded, end = self._yielded(statement, scope), statement.place
        scope.add(YieldOp(*yielded), end)
        return yielded

    def _yielded(self, statement: Yield, scope: Scope) -> tuple[SSAValue, ...]:
        try:
            return tuple(
                scope.constant(value)
                if isinstance(value, Literal)
                else scope.value(value)
                for value in statement.values
            )
        except UserError as error:
            self.errors.append(error)
            raise Skip from error

    # -- statements --------------------------------------------------------------

    def _statement(self, statement: Statement, scope: Scope) -> None:
        targets = targets_of(statement)
        scope.here = statement.place
        try:
            values = self._results(statement, scope)
            check_targets(statement, targets, values)
        except (UserError, Skip) as error:
            if isinstance(error, UserError):
                self.errors.append(error)
            if isinstance(statement, Permute):
                self.errors[:] = distinct(self.errors)
            for target in targets:
                scope.bind(target.text, None, target.place)
            return
        for target, value in zip(targets, values, strict=False):
            scope.bind(target.text, value, target.place)

    def _results(self, statement: Statement, scope: Scope) -> Sequence[SSAValue]:
        if isinstance(statement, Knob):
            return self._knob(statement, scope)
        if isinstance(statement, Order):
            check_order(statement)
            self._orders[statement.target.text] = statement
            return ()
        if isinstance(statement, Permute):
            return self._results(step_orders(statement), scope)
        if isinstance(statement, Action):
            if (choose := loop_orders(statement, self._orders)) is not None:
                return self._results(choose, scope)
        if isinstance(statement, Action | Constant | Assign | Require):
            return lower_simple(statement, scope)
        values = self._blocks(statement, scope)
        check_kinds(targets_of(statement), values)
        return values

    def _blocks(self, statement: Statement, scope: Scope) -> Sequence[SSAValue]:
        """The results of an include, or of a statement with blocks."""
        if isinstance(statement, Include):
            return self._include(statement, scope)
        assert isinstance(statement, Choose | Try | ForEach | Guarded)
        return lower_blocks(statement, scope, self)

    def _knob(self, knob: Knob, scope: Scope) -> Sequence[SSAValue]:
        (value,) = lower_simple(knob, scope)
        op = value.owner
        assert isinstance(op, KnobOp)
        name = op.knob_name.data
        first = self._knobs.setdefault(name, op)
        # Each branch of a `choose` may declare the knob, since only one of them runs.
        if first is not op and (first.options != op.options or scope.holds(first)):
            raise UserError(
                f"knob '{name}' is declared twice",
                knob.target.place,
                "use the first, or choose another name",
                [Note("the first is here", place_of(first))],
            )
        return [value]

    def _include(self, include: Include, scope: Scope) -> Sequence[SSAValue]:
        name, arguments = include.call.function, include.call.arguments
        callee = self._sequence(name)
        kinds = callee.function_type.inputs.data
        if len(arguments) != len(kinds):
            raise UserError(
                f"'{name.text}' takes {count(len(kinds), 'argument')}, "
                f"{len(arguments)} given",
                include.call.place,
                f"write: include {name.text}({', '.join(['NAME'] * len(kinds))})",
            )
        values = [
            scope.argument(argument, kind, name)
            for argument, kind in zip(arguments, kinds, strict=True)
        ]
        op = IncludeOp(
            name.text,
            values,
            callee.function_type.outputs.data,
            failure_mode(include.suppress),
        )
        scope.add(op, include.place, "include")
        return op.results
