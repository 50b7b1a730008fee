"""Python values as arguments of statements, judged by the kind of slot they fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.call_site import call_site
from tilewright.schedules.builder.values import (
    Arithmetic,
    Bound,
    Expression,
    LoopOrder,
    Mlir,
    NumberLike,
    Param,
    Scalar,
    reference,
)
from tilewright.schedules.language.syntax import (
    Argument,
    Items,
    Literal,
    Name,
    Raw,
    Setting,
    Value,
)
from tilewright.schedules.language.verbs.forms import Kind

Sizes: TypeAlias = Sequence[NumberLike]
"""Tile sizes: numbers and knobs; 0 leaves a loop as it is."""
Loops: TypeAlias = "Sequence[int] | LoopOrder"
"""Numbers of loops, or an order of them that is left open."""
Names: TypeAlias = "str | Sequence[str]"
"""A name, or several."""
Attributes: TypeAlias = Mapping[str, "Scalar | None"]
"""Attributes by name; None is an attribute without a value."""
Given: TypeAlias = "Param | Bound | Mlir | Sequence[Given]"
"""Anything that a field of an op may be set to."""


def argument_tree(kind: Kind, given: Any) -> Argument:
    """A Python value as the argument that fills a slot of this kind."""
    if kind is Kind.NAMES:
        names = [given] if isinstance(given, str) else given
        return Items(tuple(map(_name, _listed(names))))
    if kind is Kind.ROLE:
        return _name(given)
    if isinstance(given, LoopOrder):
        return reference(given)
    if kind in {Kind.SIZES, Kind.NUMBERS}:
        return Items(tuple(map(value_tree, _listed(given))))
    return value_tree(given)


def setting_tree(name: str, value: Param | None) -> Argument:
    """`"name" = value`, or `"name"` alone."""
    if value is None:
        return Literal(name)
    return Setting(name, value_tree(value), quoted=True)


def settings_tree(attributes: Attributes) -> Items:
    """`[tag = "x", flag]`."""
    if not isinstance(cast(object, attributes), Mapping):
        raise _refused(attributes, 'give attributes by name, as {"tag": "x"}')
    return Items(
        tuple(
            Literal(name) if value is None else Setting(name, Literal(value))
            for name, value in attributes.items()
        )
    )


def value_tree(given: Any) -> Value:
    """A Python value as a value of the language."""
    if isinstance(given, Expression):
        return given.tree
    if isinstance(given, Bound):
        return reference(given)
    if isinstance(given, Mlir):
        return given.tree
    if isinstance(given, Raw):
        return given
    if isinstance(given, bool | int | float | str):
        return Literal(given)
    if hasattr(given, "__index__"):
        return Literal(int(given))
    if isinstance(given, Sequence):
        listed = cast("Sequence[Any]", given)
        return Items(tuple(value_tree(item) for item in listed))
    raise _refused(given, "give a handle, a number, a knob, a string or a list")


def is_number(given: Any) -> bool:
    """Whether a value may stand where a number is expected."""
    return isinstance(given, Arithmetic | int) and not isinstance(given, bool)


def _name(given: Any) -> Name:
    if not isinstance(given, str):
        raise _refused(given, 'give a name, such as "block.x"')
    return Name(given)


def _listed(given: Any) -> Sequence[Any]:
    if isinstance(given, Sequence) and not isinstance(given, str):
        return cast("Sequence[Any]", given)
    raise _refused(given, "give a list")


def _refused(given: object, remedy: str) -> UserError:
    what = type(given).__name__
    return UserError(
        f"a value of type {what} cannot stand here", call_site().place, remedy
    )
