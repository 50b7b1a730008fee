"""Names in the trees of a schedule whose text is settled when it is finished.

A handle is an object of Python and may be used as long as the program likes; a name of
the language stands for what it was bound to last. So trees refer to the handle itself
until all uses are known, and `naming.py` chooses the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from tilewright.ir.errors import Place
from tilewright.schedules.builder.values import Binding, Bound, Reference
from tilewright.schedules.language.syntax import NOWHERE, Name, Node, Target

AnyNode = TypeVar("AnyNode", bound=Node)


def placed(node: AnyNode, place: Place) -> AnyNode:
    """A tree whose parts without a place have this one."""
    given: dict[str, Any] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Place):
            given[each.name] = place if value is NOWHERE else value
        else:
            given[each.name] = _mapped(value, lambda part: placed(part, place))
    return replace(node, **given)


def renamed(node: AnyNode, names: Mapping[Bound, str]) -> AnyNode:
    """A tree of plain names."""
    plain: Any
    if isinstance(node, Reference):
        plain = Name(names[node.of], place=node.place)
        return plain
    if isinstance(node, Binding):
        plain = Target(names[node.of], node.kind, place=node.place)
        return plain
    given = {
        each.name: _mapped(getattr(node, each.name), lambda part: renamed(part, names))
        for each in fields(node)
    }
    return replace(node, **given)


def resolved(node: AnyNode, current: Callable[[Bound], Bound]) -> AnyNode:
    """A tree that refers to what `current` gives for each handle in it."""
    if isinstance(node, Reference):
        of = current(node.of)
        return replace(node, of=of, text=of.wanted)
    given = {
        each.name: _mapped(
            getattr(node, each.name), lambda part: resolved(part, current)
        )
        for each in fields(node)
    }
    return replace(node, **given)


def references(node: Node) -> Iterator[Reference]:
    """The uses of names in a tree, in order."""
    for part in parts(node):
        if isinstance(part, Reference):
            yield part


def bindings(node: Node) -> Iterator[Binding]:
    """The names that a tree binds, in order."""
    for part in parts(node):
        if isinstance(part, Binding):
            yield part


def names_a_choice(statement: Node) -> bool:
    """Whether a condition compares a choice with a label; it may come later."""
    return any(type(part) is Name for part in parts(statement))


def parts(node: Node) -> Iterator[Node]:
    """A tree and all its parts, in order."""
    yield node
    for each in fields(node):
        yield from _parts_of(getattr(node, each.name))


def _parts_of(value: Any) -> Iterator[Node]:
    if isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            yield from _parts_of(item)
    elif isinstance(value, Node):
        yield from parts(value)


def _mapped(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, tuple):
        return tuple(_mapped(item, change) for item in cast("tuple[Any, ...]", value))
    return change(value) if isinstance(value, Node) else value
