"""Lowers statements without blocks: verbs, ops by name, numbers and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.lowering import any_op
from tilewright.schedules.language.lowering.conditions import condition_op, folded
from tilewright.schedules.language.lowering.fields import StatementFields
from tilewright.schedules.language.lowering.knobs import lower_knob
from tilewright.schedules.language.lowering.scope import Scope
from tilewright.schedules.language.syntax import (
    KEYWORDS,
    Action,
    Argument,
    Assign,
    Constant,
    Items,
    Knob,
    Literal,
    Name,
    Require,
    Setting,
    Statement,
    Target,
)
from tilewright.schedules.language.verbs.attribute_text import (
    described,
    kind_type,
)
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, verb_for
from tilewright.transforms.op_sources import PREFIX, op_sources


def lower_simple(statement: Statement, scope: Scope) -> Sequence[SSAValue]:
    """Add the ops of a statement without blocks, and give its results."""
    if isinstance(statement, Action):
        return lower_action(statement, scope)
    if isinstance(statement, Constant):
        value = statement.value
        if isinstance(value, Literal):
            return retyped([statement.target], [scope.constant(value)])
        number = scope.compute(value, statement.target.text)
        return retyped([statement.target], [number])
    if isinstance(statement, Assign):
        return retyped(statement.targets, [scope.call(statement.call)])
    if isinstance(statement, Knob):
        return retyped([statement.target], [lower_knob(statement, scope)])
    assert isinstance(statement, Require)
    lower_require(statement, scope)
    return ()


def lower_action(action: Action, scope: Scope) -> Sequence[SSAValue]:
    """Add the ops of a verb, or the op of that name; gives the last op's results."""
    word = action.verb.text
    arguments = tuple(_folded(argument, word) for argument in action.arguments)
    action = replace(action, arguments=arguments)
    if (verb := BY_NAME.get(word)) is None:
        if word.removeprefix(PREFIX) not in op_sources():
            raise _unknown(action, scope)
        op = any_op.build(action, scope)
        scope.add(op, action.place, word)
        return op.results
    fields = StatementFields(action, verb.form, scope)
    last: Operation | None = None
    for op in verb.translation.build(fields):
        scope.add(op, action.place, word)
        last = op
    if last is None:
        raise UserError(
            f"{word}: none of its options is given",
            action.place,
            f"write: {verb.form.usage}",
        )
    return retyped(action.targets, last.results)


def retyped(
    targets: Sequence[Target], values: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """The results of a new op, with the types that their names' kinds ask for."""
    changed = list(values)
    for position, target in enumerate(targets[: len(changed)]):
        if target.kind is not None:
            of = kind_type(target.kind)
            if of == changed[position].type:
                continue
            new = Rewriter.replace_value_with_new_type(changed[position], of)
            changed[position] = new
    return changed


def _unknown(action: Action, scope: Scope) -> UserError:
    word = action.verb.text
    if action.targets and not action.arguments and scope.knows(word):
        return UserError(
            f"'{word}' is a name, not a verb",
            action.verb.place,
            f"use '{word}' itself: a statement binds what a verb returns",
        )
    first = action.arguments[0] if action.arguments else None
    if action.targets and isinstance(first, Name) and first.text == "of":
        return UserError(
            f"the default of a knob is a number, not the name '{word}'",
            action.verb.place,
            "write: 64 of [32, 64]",
        )
    near_verb = did_you_mean(word, [*BY_NAME, *KEYWORDS])
    near_op = _near_op(word.removeprefix(PREFIX))
    near = near_op or near_verb if "." in word else near_verb or near_op
    return UserError(
        f"unknown verb '{word}'",
        action.verb.place,
        near or f"the verbs are {', '.join(sorted(BY_NAME))}",
    )


def _near_op(word: str) -> str | None:
    """A remedy for the name of an op, which is a statement too: names its verb."""
    near = get_close_matches(word, list(op_sources()), 1)
    if not near:
        return None
    verb = verb_for(PREFIX + near[0])
    if "." not in word or verb == near[0]:
        return f"did you mean '{verb}'?"
    return f"did you mean '{near[0]}'? its verb is '{verb}'"


def check_kinds(targets: Sequence[Target], values: Sequence[SSAValue]) -> None:
    """Refuse a kind that is not the type of the value bound to the name."""
    for target, value in zip(targets, values, strict=False):
        if target.kind is None:
            continue
        said = kind_type(target.kind)
        if said != value.type:
            raise UserError(
                f"'{target.text}' is {described(value.type)}, not {described(said)}",
                target.kind.place,
                "omit the kind, or cast",
            )


def lower_require(require: Require, scope: Scope) -> None:
    """Add the op of a `require`."""
    op = condition_op(require.condition, scope)
    scope.add(op, require.place, "require")


def _folded(argument: Argument, user: str) -> Argument:
    """An argument whose constant expressions are folded."""
    if isinstance(argument, Setting):
        value = _folded(argument.value, user)
        assert not isinstance(value, Setting)
        return replace(argument, value=value)
    if isinstance(argument, Items):
        items = tuple(_folded(item, user) for item in argument.items)
        return replace(argument, items=items)
    return folded(argument, user)
