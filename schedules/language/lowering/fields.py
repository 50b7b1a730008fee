"""The fields of one statement, with its names looked up in a scope."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.errors import Place, UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.lowering.any_op import build_from_fields
from tilewright.schedules.language.lowering.scope import Scope, attribute_of
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Items,
    Literal,
    Name,
    Node,
    Setting,
)
from tilewright.schedules.language.verbs.forms import Form

_MOST_NAMES = 6


class StatementFields:
    """The `Fields` that a verb builds its ops from."""

    def __init__(self, action: Action, form: Form, scope: Scope):
        self._action = action
        self._verb = action.verb
        self._form = form
        self._fields = form.match(action.verb, action.arguments)
        self._scope = scope

    def has(self, field: str) -> bool:
        """Whether an optional field was given."""
        return field in self._fields

    def handle(self, field: str) -> SSAValue:
        """A handle to payload."""
        return self._scope.handle(self._fields[field], self._verb)

    def param(self, field: str) -> SSAValue:
        """A parameter; a number becomes one."""
        return self._scope.param(self._fields[field], self._verb)

    def written(self, field: str) -> tuple[str, Place] | None:
        """The key of a `key = value` argument, and where it stands."""
        value = self._fields[field]
        for argument in self._action.arguments:
            if isinstance(argument, Setting) and argument.value is value:
                return argument.key, argument.place
        return None

    def sizes(self, field: str) -> list[SSAValue | int]:
        """Numbers and parameters, as written."""
        return [
            self._whole(item)
            if isinstance(item, Literal)
            else self._scope.param(item, self._verb)
            for item in self._items(field)
        ]

    def numbers(self, field: str) -> list[int]:
        """Plain numbers."""
        return [self._whole(item) for item in self._items(field)]

    def positions(self, field: str) -> list[int]:
        """Plain numbers; negative ones count from the end."""
        positions: list[int] = []
        for item in self._items(field):
            value = item.value if isinstance(item, Literal) else None
            if isinstance(value, bool) or not isinstance(value, int):
                raise self._error("expected a position", item, "such as 0, or -1")
            positions.append(value)
        return positions

    def strings(self, field: str) -> list[str]:
        """One or several strings."""
        value = self._fields[field]
        items = self._items(field) if isinstance(value, Items) else (value,)
        strings: list[str] = []
        for item in items:
            if not isinstance(item, Literal) or not isinstance(item.value, str):
                raise self._error("expected a string", item)
            strings.append(item.value)
        return strings

    def names(self, field: str, known: Sequence[str]) -> list[str]:
        """Names out of a known set."""
        names: list[str] = []
        for item in self._items(field):
            if not isinstance(item, Name):
                raise self._error("expected a name", item)
            if item.text not in known:
                raise self._error(
                    f"unknown name '{item.text}'",
                    item,
                    did_you_mean(item.text, known) or _one_of(known),
                )
            names.append(item.text)
        return names

    def word(self, field: str) -> str:
        """A word out of a known set, which the form has checked."""
        value = self._fields[field]
        assert isinstance(value, Name)
        return value.text

    def flag(self, field: str) -> bool:
        """Whether an option is given and true."""
        value = self._fields.get(field)
        if value is None:
            return False
        if not isinstance(value, Literal) or not isinstance(value.value, bool):
            raise self._error("expected true or false", value)
        return value.value

    def setting(self, field: str) -> tuple[str, SSAValue | None]:
        """An attribute's name and its value, if it has one."""
        argument = self._fields[field]
        if isinstance(argument, Setting):
            return argument.key, self._scope.param(argument.value, self._verb)
        return self.strings(field)[0], None

    def settings(self, field: str) -> dict[str, Attribute]:
        """Attributes with constant values."""
        settings: dict[str, Attribute] = {}
        for item in self._items(field):
            if isinstance(item, Setting) and isinstance(item.value, Literal):
                settings[item.key] = attribute_of(item.value)
            elif isinstance(item, Name):
                settings[item.text] = UnitAttr()
            elif isinstance(item, Literal) and isinstance(item.value, str):
                settings[item.value] = UnitAttr()
            else:
                raise self._error("expected NAME or NAME = CONSTANT", item)
        return settings

    def op(self, name: str) -> Operation:
        """The op of this name, when the statement's fields are named as the op's."""
        return build_from_fields(
            name, self._fields, self._action, self._scope, self._form
        )

    def _items(self, field: str) -> tuple[Argument, ...]:
        value = self._fields[field]
        assert isinstance(value, Items)
        if not value.items:
            raise self._error("the list is empty", value, "list at least one")
        return value.items

    def _whole(self, item: Argument) -> int:
        value = item.value if isinstance(item, Literal) else None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._error(
                "expected a whole number, 0 or more",
                item,
                "such as 64; 0 leaves a loop as it is",
            )
        return value

    def _error(self, fact: str, at: Node, remedy: str | None = None) -> UserError:
        return UserError(f"{self._verb.text}: {fact}", at.place, remedy)


def _one_of(known: Sequence[str]) -> str:
    """`one of a, b, c`, with the first few names where there are many."""
    more = ", ..." if len(known) > _MOST_NAMES else ""
    return f"one of {', '.join(known[:_MOST_NAMES])}{more}"
