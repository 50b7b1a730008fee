"""The tree of a schedule to transform IR; every op points back at its statement.

Errors are collected: a statement that is wrong is left out and the names it would have
bound are marked; statements that use a marked name are left out without another error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.dialects.transform import (
    FailurePropagationModeAttr,
    FailurePropagationModeType,
    NamedSequenceOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.ir.dialects import smt
from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.conditions import lower_condition, names_in
from tilewright.schedules.fields import StatementFields
from tilewright.schedules.scope import (
    Scope,
    Skip,
    attribute_of,
    count,
    did_you_mean,
    location_of,
)
from tilewright.schedules.syntax import (
    Action,
    Assign,
    Branch,
    Choose,
    Constant,
    Definition,
    File,
    Include,
    Knob,
    Literal,
    Name,
    Parameter,
    Require,
    Statement,
    Yield,
)
from tilewright.schedules.verbs import BY_NAME
from tilewright.transforms.base import (
    AnyOpType,
    ParamType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.control.constrain import ConstrainParamsOp
from tilewright.transforms.control.sequence import IncludeOp, YieldOp, declares_consumed
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.interpreter import ENTRY

NAMED_SEQUENCES = "transform.with_named_sequence"
"""The attribute upstream wants on a module that holds named sequences."""

_STATEMENTS = ("knob", "choose", "require", "include", "yield")


@dataclass(frozen=True)
class Lowered:
    """What came of a file: its module, its name, and all that is wrong with it."""

    module: ModuleOp
    name: str
    errors: tuple[UserError, ...]


def lower(file: File, library: Mapping[str, Definition] | None = None) -> Lowered:
    """Lower a file; `library` has the sequences that may be included without one."""
    return _Lowering(file, library or {}).run()


class _Lowering:
    """One run over one file."""

    def __init__(self, file: File, library: Mapping[str, Definition]):
        self._file = file
        self._errors: list[UserError] = []
        self._sequences: dict[str, NamedSequenceOp] = {}
        self._open: list[str] = []
        self._failed: set[str] = set()
        self._knobs: dict[str, KnobOp] = {}
        self._definitions = dict(library)
        for definition in file.definitions:
            if not definition.is_schedule:
                self._definitions[definition.name.text] = definition

    def run(self) -> Lowered:
        """Lower the file's own sequences, what they include, and the schedule."""
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
        return Lowered(module, name, tuple(self._errors))

    def _check_definitions(self, schedules: Sequence[Definition]) -> None:
        seen: dict[str, Name] = {}
        for definition in self._file.definitions:
            name = definition.name
            if (first := seen.setdefault(name.text, name)) is not name:
                self._report(
                    f"'{name.text}' is defined twice",
                    name.place,
                    "rename one",
                    [Note("the first is here", first.place)],
                )
        for schedule in schedules[1:]:
            self._report(
                "a file holds one schedule",
                schedule.place,
                "make it a sequence and include it, or move it to another file",
            )

    def _report(
        self,
        fact: str,
        place: Place,
        remedy: str | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        self._errors.append(UserError(fact, place, remedy, list(notes)))

    # -- definitions -------------------------------------------------------------

    def _sequence(self, name: Name) -> NamedSequenceOp:
        """The named sequence called `name`, lowered the first time it is asked for."""
        if (done := self._sequences.get(name.text)) is not None:
            return done
        definition = self._definitions.get(name.text)
        if definition is None:
            raise UserError(
                f"no sequence '{name.text}' to include",
                name.place,
                did_you_mean(name.text, list(self._definitions))
                or "define it in this file: sequence NAME(HANDLE) { ... }",
            )
        if name.text in self._open:
            raise UserError(f"'{name.text}' includes itself", name.place)
        if name.text in self._failed:
            raise Skip
        self._open.append(name.text)
        knobs, self._knobs = self._knobs, {}
        try:
            op = self._define(definition, name.text)
        except Skip:
            self._failed.add(name.text)
            raise
        finally:
            self._knobs = knobs
            self._open.pop()
        self._sequences[name.text] = op
        return op

    def _define(self, definition: Definition, symbol: str) -> NamedSequenceOp:
        types = [self._parameter_type(p) for p in definition.parameters]
        if definition.is_schedule and types != [AnyOpType()]:
            self._report(
                "a schedule takes one handle, the root of the payload",
                definition.name.place,
                f"write: schedule {definition.name.text}(root) {{ ... }}",
            )
        block = Block(arg_types=types)
        scope = Scope(block)
        for parameter, argument in zip(definition.parameters, block.args, strict=True):
            scope.bind(parameter.name.text, argument)
        yielded = self._body(
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
        kind = parameter.kind
        if kind is None:
            return AnyOpType()
        if kind.text != "param":
            self._report(
                f"unknown kind '{kind.text}'",
                kind.place,
                "write 'param' for a number, nothing for a handle",
            )
        return ParamType(i64)

    def _effect_on(self, argument: SSAValue) -> str:
        """Whether a sequence consumes its argument, as the attribute that says so."""
        for use in argument.uses:
            user = use.operation
            if isinstance(user, IncludeOp):
                callee = self._sequences[user.target.string_value()]
                if declares_consumed(callee, use.index):
                    return "transform.consumed"
            elif isinstance(user, TransformOp) and argument in user.consumed_handles():
                return "transform.consumed"
        return "transform.readonly"

    def _body(
        self, body: Sequence[Statement], scope: Scope, end: Place, may_yield: bool
    ) -> tuple[SSAValue, ...]:
        """Lower statements into the scope's block; the values they yield."""
        yielded: tuple[SSAValue, ...] = ()
        for position, statement in enumerate(body):
            if not isinstance(statement, Yield):
                self._statement(statement, scope)
            elif not may_yield:
                self._report(
                    "a schedule yields nothing",
                    statement.place,
                    "remove it; only branches and sequences yield",
                )
            elif position != len(body) - 1:
                self._report(
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
            return tuple(scope.value(value) for value in statement.values)
        except UserError as error:
            self._errors.append(error)
            raise Skip from error

    # -- statements --------------------------------------------------------------

    def _statement(self, statement: Statement, scope: Scope) -> None:
        targets = _targets_of(statement)
        try:
            values = self._results(statement, scope)
            _check_targets(statement, targets, values)
        except (UserError, Skip) as error:
            if isinstance(error, UserError):
                self._errors.append(error)
            for target in targets:
                scope.bind(target.text, None)
            return
        for target, value in zip(targets, values, strict=False):
            scope.bind(target.text, value)

    def _results(self, statement: Statement, scope: Scope) -> Sequence[SSAValue]:
        if isinstance(statement, Knob):
            return [self._knob(statement, scope)]
        if isinstance(statement, Constant):
            return [scope.constant(statement.value)]
        if isinstance(statement, Action):
            return _action(statement, scope)
        if isinstance(statement, Assign):
            return [scope.call(statement.call)]
        if isinstance(statement, Include):
            return self._include(statement, scope)
        if isinstance(statement, Choose):
            return self._choose(statement, scope)
        assert isinstance(statement, Require)
        _require(statement, scope)
        return ()

    def _knob(self, knob: Knob, scope: Scope) -> SSAValue:
        name = knob.label or knob.target.text
        op = KnobOp(name, _options(name, knob))
        first = self._knobs.setdefault(name, op)
        # The branches of one `choose` may each declare it: they are never run together.
        if first is not op and (first.options != op.options or scope.holds(first)):
            raise UserError(
                f"knob '{name}' is declared twice",
                knob.target.place,
                "use the first, or choose another name",
                [Note("the first is here", place_of(first))],
            )
        scope.add(op, knob.target.place)
        return op.result

    def _include(self, include: Include, scope: Scope) -> Sequence[SSAValue]:
        name, arguments = include.call.function, include.call.arguments
        callee = self._sequence(name)
        kinds = callee.function_type.inputs.data
        if len(arguments) != len(kinds):
            raise UserError(
                f"'{name.text}' takes {count(len(kinds), 'argument')}, "
                f"{len(arguments)} given",
                include.call.place,
            )
        values = [
            scope.handle(argument, name)
            if isinstance(kind, TransformOpHandleType)
            else scope.param(argument, name)
            for argument, kind in zip(arguments, kinds, strict=True)
        ]
        op = IncludeOp(
            name.text,
            values,
            callee.function_type.outputs.data,
            FailurePropagationModeAttr(FailurePropagationModeType.PROPAGATE),
        )
        scope.add(op, include.place)
        return op.results

    def _choose(self, choose: Choose, scope: Scope) -> Sequence[SSAValue]:
        labels: dict[str, Branch] = {}
        regions: list[Region] = []
        yields: list[tuple[SSAValue, ...]] = []
        before = len(self._errors)
        for branch in choose.branches:
            if labels.setdefault(branch.label.text, branch) is not branch:
                self._report(
                    f"two branches are called '{branch.label.text}'",
                    branch.label.place,
                    "rename one",
                )
                continue
            inner = Scope(Block(), scope)
            try:
                yields.append(self._body(branch.body, inner, branch.end, True))
            except Skip:
                continue
            regions.append(Region(inner.block))
        if len(self._errors) > before or len(yields) < len(labels):
            raise Skip
        for branch, values in zip(labels.values(), yields, strict=True):
            _check_yield(choose, branch, values, yields[0])
        op = AlternativesOp(
            choose.name.text,
            regions,
            [value.type for value in yields[0]],
            labels=list(labels),
        )
        scope.add(op, choose.place)
        return op.results


def _action(action: Action, scope: Scope) -> Sequence[SSAValue]:
    verb = BY_NAME.get(action.verb.text)
    if verb is None:
        raise UserError(
            f"unknown verb '{action.verb.text}'",
            action.verb.place,
            did_you_mean(action.verb.text, [*BY_NAME, *_STATEMENTS])
            or f"the verbs are {', '.join(sorted(BY_NAME))}",
        )
    fields = verb.form.match(action.verb, action.arguments)
    last: Operation | None = None
    for op in verb.build(StatementFields(action.verb, fields, scope)):
        scope.add(op, action.place)
        last = op
    if last is None:
        raise UserError(
            f"{action.verb.text}: none of its options is given",
            action.place,
            f"write: {verb.form.usage}",
        )
    return last.results


def _options(name: str, knob: Knob) -> list[Attribute]:
    options: list[Attribute] = []
    kinds: set[type] = set()
    for item in knob.options.items:
        if not isinstance(item, Literal):
            raise UserError(
                f"an option of knob '{name}' is not a constant",
                item.place,
                "list every value it may take, and 'require' what holds between knobs",
            )
        kinds.add(type(item.value))
        if len(kinds) > 1:
            raise UserError(
                f"the options of knob '{name}' are of different kinds", item.place
            )
        option = attribute_of(item)
        if option in options:
            raise UserError(f"knob '{name}' lists an option twice", item.place)
        options.append(option)
    if not options:
        raise UserError(
            f"knob '{name}' has no options", knob.options.place, "list its values"
        )
    return options


def _require(require: Require, scope: Scope) -> None:
    params: dict[str, SSAValue] = {}
    for name in names_in(require.condition):
        value = scope.named(name)
        if not isinstance(value.type, TransformParamHandleType):
            raise UserError(
                f"require: '{name.text}' is a handle, not a number",
                name.place,
                "constrain knobs and numbers",
            )
        params[name.text] = value
    block = Block(arg_types=[smt.IntType()] * len(params))
    for argument, name in zip(block.args, params, strict=True):
        argument.name_hint = name
    known = dict(zip(params, block.args, strict=True))
    lower_condition(require.condition, known, block)
    scope.add(ConstrainParamsOp(list(params.values()), Region(block)), require.place)


def _targets_of(statement: Statement) -> tuple[Name, ...]:
    if isinstance(statement, Knob | Constant):
        return (statement.target,)
    if isinstance(statement, Require | Yield):
        return ()
    return statement.targets


def _check_targets(
    statement: Statement, targets: Sequence[Name], values: Sequence[SSAValue]
) -> None:
    """As many names as results, or none at all."""
    if targets and len(targets) != len(values):
        what = f"{statement.verb.text}: " if isinstance(statement, Action) else ""
        raise UserError(
            f"{what}{count(len(values), 'result')} for {count(len(targets), 'name')}",
            targets[0].place,
            f"bind {count(len(values), 'name')}" if values else "remove the names",
        )
    seen: set[str] = set()
    for target in targets:
        if "." in target.text:
            raise UserError(f"'{target.text}': a name has no dots", target.place)
        if target.text in seen:
            raise UserError(f"'{target.text}' is bound twice here", target.place)
        seen.add(target.text)


def _check_yield(
    choose: Choose,
    branch: Branch,
    values: Sequence[SSAValue],
    first: Sequence[SSAValue],
) -> None:
    if len(values) != len(choose.targets):
        raise UserError(
            f"branch '{branch.label.text}' yields {count(len(values), 'value')} for "
            f"{count(len(choose.targets), 'name')}",
            branch.label.place,
            f"end it with 'yield' and {count(len(choose.targets), 'value')}"
            if choose.targets
            else "bind them: NAMES = choose ...",
        )
    for value, other, target in zip(values, first, choose.targets, strict=True):
        if value.type != other.type:
            raise UserError(
                f"'{target.text}' is a handle in one branch and a number in another",
                branch.label.place,
            )
