"""The scope of a statement: the names bound there, and the block that ops go to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    NameLoc,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.name_hints import name_hint
from tilewright.ir.parsing.sources import file_location
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.lowering.conditions import folded, number_op
from tilewright.schedules.language.syntax import (
    NOWHERE,
    PAYLOAD_NUMBERS,
    Argument,
    Call,
    Literal,
    Name,
    Operator,
    Value,
)
from tilewright.schedules.language.verbs.attribute_text import described
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, FUNCTIONS
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.values import value_attribute
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import PAYLOAD_NUMBER_OPS


class Skip(Exception):
    """Raised to leave a statement out that uses a name of a wrong statement."""


@dataclass(frozen=True)
class Home:
    """The block that a scope belongs to: how errors call it, and how it gives names."""

    title: str
    """Such as `branch 'wide' of 'choose tiles'`."""
    remedy: str
    """How to use a name of the block after it; `{name}` stands for the name."""


class Scope:
    """A block that ops are added to, and the names bound in it and around it."""

    def __init__(
        self,
        block: Block,
        outer: Scope | None = None,
        *,
        hides: Scope | None = None,
        only: str = "",
        home: Home | None = None,
        choices: Mapping[str, Sequence[str]] | None = None,
    ):
        """A scope with `hides` sees only the name `only` of the scope around it.

        `home` is the block of a statement, whose names are its own. `choices` has the
        branches of every `choose` of the file.
        """
        self.block = block
        self.here = NOWHERE
        """The place of the statement that is lowered, for values without one."""
        self._outer = outer
        self._hides = hides
        self._only = only
        self._home = home
        around = self._around = outer or hides
        self._choices = choices or (around._choices if around is not None else {})
        self._names: dict[str, SSAValue | None] = {}
        self._inside: dict[str, tuple[Home, Place]] = {}
        """The names that blocks inside this scope bind, with the place of each."""

    def bind(
        self, name: str, value: SSAValue | None, place: Place | None = None
    ) -> None:
        """Bind a name to a value, or to None after an error; `place` is the name's."""
        self._names[name] = value
        if self._home is not None and place is not None:
            around = self._around
            while around is not None:
                around._inside.setdefault(name, (self._home, place))
                around = around._around
        if value is not None:
            value.name_hint = name_hint(name)

    def know(self, names: Mapping[str, SSAValue]) -> None:
        """Bind names to values without renaming the values."""
        self._names.update(names)

    def add(self, op: Operation, place: Place, verb: str | None = None) -> None:
        """Add an op for the statement at `place`, which has this verb if any."""
        if verb is not None and isinstance(op, TransformOp):
            op.written_as = verb
        if place is NOWHERE:
            place = self.here
        for nested in op.walk():
            if file_location(nested.location) is None:
                nested.location = location_of(place)
        self.block.add_op(op)

    def holds(self, op: Operation) -> bool:
        """Whether an op is in this scope or one around it."""
        if op.parent is self.block:
            return True
        return self._outer is not None and self._outer.holds(op)

    # -- values ------------------------------------------------------------------

    def named(self, name: Name, example: str = "match ... in root") -> SSAValue:
        """The value of a name; `example` shows how such a name is bound."""
        scope: Scope | None = self
        while scope is not None and name.text not in scope._names:
            scope._check_hidden(name)
            scope = scope._outer
        if scope is None:
            raise self._unbound(name, self._known(), example)
        value = scope._names[name.text]
        if value is None:
            raise Skip
        return value

    def _unbound(self, name: Name, known: Sequence[str], example: str) -> UserError:
        """The error for a name without a value: it is local to a block, or unknown."""
        scope: Scope | None = self
        while scope is not None and name.text not in scope._inside:
            scope = scope._around
        if scope is not None:
            home, place = scope._inside[name.text]
            return UserError(
                f"'{name.text}' is local to {home.title}",
                name.place,
                home.remedy.format(name=name.text),
                [Note("it is bound here", place)],
            )
        return UserError(
            f"unknown name '{name.text}'",
            name.place,
            did_you_mean(name.text, known) or f"bind it first: {name.text} = {example}",
        )

    def _check_hidden(self, name: Name) -> None:
        if self._hides is not None and name.text in self._hides._known():
            raise UserError(
                f"'{name.text}' is outside this 'try', which sees only '{self._only}'",
                name.place,
                f"match it again in {self._only}, or declare it here",
            )

    def value(self, value: Value) -> SSAValue:
        """A handle or a parameter."""
        if isinstance(value, Name):
            return self.named(value)
        if isinstance(value, Call):
            return self.call(value)
        if isinstance(value, Operator):
            return self.compute(value, "compute")
        raise UserError(
            "expected a handle or a knob", value.place, "give a name that is bound"
        )

    def handle(self, value: Argument, user: Name) -> SSAValue:
        """A handle as an argument of `user`."""
        if not isinstance(value, Name | Call):
            raise UserError(
                f"{user.text}: expected a handle",
                value.place,
                "give a name that match, tile or fuse has bound",
            )
        found = self.value(value)
        if not isinstance(found.type, TransformOpHandleType):
            what = value.text if isinstance(value, Name) else value.function.text
            raise UserError(
                f"{user.text}: '{what}' is {described(found.type)}, not a handle",
                value.place,
                "use a name that match, tile or fuse has bound",
            )
        return found

    def argument(self, value: Argument, kind: Attribute, user: Name) -> SSAValue:
        """An argument of `user` where it takes a value of this type."""
        if isinstance(kind, TransformOpHandleType):
            return self.handle(value, user)
        if isinstance(kind, TransformParamHandleType):
            return self.param(value, user)
        if not isinstance(value, Name):
            raise UserError(
                f"{user.text}: expected a value handle",
                value.place,
                "bind one first: NAME = result h at [0]",
            )
        return self.named(value)

    def param(self, value: Argument, user: Name) -> SSAValue:
        """A parameter as an argument of `user`; a constant becomes one."""
        if isinstance(value, Literal):
            return self.constant(value)
        if isinstance(value, Operator):
            return self.compute(value, user.text)
        if isinstance(value, Call):
            number = self.measured(value, user.text)
            if number is not None:
                return number
        if not isinstance(value, Name):
            raise UserError(
                f"{user.text}: expected a number or a knob",
                value.place,
                "such as 64, or a name bound by NAME = knob [64, 128]",
            )
        found = self.named(value, "knob [64, 128]")
        if not isinstance(found.type, TransformParamHandleType):
            raise UserError(
                f"{user.text}: '{value.text}' is {described(found.type)}, not a number",
                value.place,
                "use a number or a knob",
            )
        return found

    def constant(self, literal: Literal) -> SSAValue:
        """A parameter with a fixed value."""
        op = ParamConstantOp(attribute_of(literal))
        self.add(op, literal.place)
        return op.param

    # -- expressions -------------------------------------------------------------

    def compute(self, expression: Operator, user: str) -> SSAValue:
        """A parameter computed from others."""
        constant = folded(expression, user)
        if isinstance(constant, Literal):
            return self.constant(constant)
        op = number_op(expression, self, user)
        self.add(op, expression.place)
        return op.results[0]

    def number(self, name: Name, user: str) -> SSAValue | None:
        """A parameter; None if there is a `choose` of this name and no number."""
        is_choice = name.text in self._choices
        if name.text not in self._known():
            if is_choice:
                return None
            if did_you_mean(name.text, list(self._choices)) is not None:
                raise self.unknown(name)
        value = self.named(name, "knob [64, 128]")
        if isinstance(value.type, TransformParamHandleType):
            return value
        if is_choice:
            return None
        raise UserError(
            f"{user}: '{name.text}' is a handle, not a number",
            name.place,
            "use knobs and numbers",
        )

    def labels(self, name: str) -> Sequence[str] | None:
        """The branches of the `choose` of this name, if there is one."""
        return self._choices.get(name)

    def selected(self, name: Name) -> SSAValue:
        """A parameter: the number of the branch that a `choose` takes."""
        op = SelectedRegionOp(name.text, self._choices[name.text])
        self.add(op, name.place, "require")
        return op.result

    def knows(self, name: str) -> bool:
        """Whether a name is bound here or around here."""
        return name in self._known()

    def unknown(self, name: Name) -> UserError:
        """The error for an unknown name."""
        known = [*self._known(), *self._choices]
        return self._unbound(name, known, "knob [64, 128]")

    def measured(self, call: Call, user: str) -> SSAValue | None:
        """A parameter: a number of the payload; None if no function has this name."""
        build = PAYLOAD_NUMBER_OPS.get(call.function.text)
        if build is None:
            return None
        handle, position = [*call.arguments, Literal(0), Literal(0)][:2]
        is_number = isinstance(position, Literal) and type(position.value) is int
        if not 1 <= len(call.arguments) <= 2 or not is_number:
            raise UserError(
                f"{call.function.text}: it takes a handle and a position",
                call.place,
                f"such as {PAYLOAD_NUMBERS[call.function.text]}",
            )
        assert isinstance(position, Literal) and isinstance(position.value, int)
        op = build(self.handle(handle, call.function), position.value)
        self.add(op, call.place, call.function.text)
        return op.results[0]

    def call(self, call: Call) -> SSAValue:
        """The result of a function call."""
        name = call.function
        if (number := self.measured(call, name.text)) is not None:
            return number
        build = FUNCTIONS.get(name.text)
        if (verb := BY_NAME.get(name.text)) is not None:
            raise UserError(
                f"'{name.text}' is a verb, not a function",
                call.place,
                f"write it without parentheses: {verb.form.usage}",
            )
        if build is None:
            raise UserError(
                f"unknown function '{name.text}'",
                call.place,
                did_you_mean(name.text, [*FUNCTIONS, *PAYLOAD_NUMBERS])
                or f"to run a sequence, write 'include {name.text}(...)'",
            )
        if not call.arguments:
            raise UserError(
                f"{name.text}: it has no arguments",
                call.place,
                f"give it handles: {name.text}(a, b)",
            )
        op = build([self.handle(argument, name) for argument in call.arguments])
        self.add(op, call.place, name.text)
        return op.results[0]

    def _known(self) -> list[str]:
        outer = self._outer._known() if self._outer is not None else []
        return [*self._names, *outer]


def attribute_of(literal: Literal) -> Attribute:
    """A constant as an attribute."""
    return value_attribute(literal.value)


def location_of(place: Place) -> FileLineColLoc | NameLoc:
    """A place as the location of an op; it has the name of the place's part."""
    location = FileLineColLoc(
        StringAttr(place.file), IntAttr(place.line), IntAttr(place.column)
    )
    if place.part is None:
        return location
    return NameLoc(StringAttr(place.part), location)
