"""Choices and constraints, which make up a space, and its points.

A *region* is a tuple of items. Knobs and alternatives are choices. The choices in a
branch of an alternative are open only where that branch is taken. A constraint holds in
its own region. Two choices of the same name are one choice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from tilewright.ir.errors import Place, UserError

if TYPE_CHECKING:
    from tilewright.transforms.control.choices.formulas import Formula

REQUIRE = "require"

Value: TypeAlias = int | float | bool | str
Point: TypeAlias = dict[str, Value]


@dataclass(frozen=True)
class Knob:
    """A value to pick from a list."""

    name: str
    options: tuple[Value, ...]
    place: Place | None = field(default=None, compare=False)
    default: Value | None = None
    """The option of the default point, if the schedule names one."""


@dataclass(frozen=True)
class Alternative:
    """A branch to take; each branch brings choices and constraints of its own."""

    name: str
    labels: tuple[str, ...]
    branches: tuple[tuple[Item, ...], ...]
    place: Place | None = field(default=None, compare=False)
    default: str | None = None
    """The label of the default point, if the schedule names one."""

    @property
    def options(self) -> tuple[str, ...]:
        """The labels, under the name that knobs use."""
        return self.labels


@dataclass(frozen=True)
class Constraint:
    """A condition on chosen values; `holds` takes them in the order of `names`."""

    names: tuple[str, ...]
    text: str
    holds: Callable[[Sequence[Value]], bool] = field(compare=False)
    place: Place | None = field(default=None, compare=False)
    formula: Formula | None = None
    """The condition as data, if known; it can be evaluated on some of the values."""
    verb: str = field(default=REQUIRE, compare=False)
    """What needs it: `require`, or the number or knob that implies it."""
    measured: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """The numbers of the payload in it, by their texts."""
    is_counted: bool = True
    """Whether the values decide it; if not, only a run does, and `holds` says yes."""


Choice: TypeAlias = Knob | Alternative
Item: TypeAlias = Knob | Alternative | Constraint


def canonical(point: Mapping[str, Value]) -> str:
    """The point as JSON, equal for equal points regardless of their order."""
    return json.dumps(dict(point), sort_keys=True, separators=(",", ":"))


def choices_in(items: Sequence[Item]) -> Iterator[Choice]:
    """Every choice of a region and of the branches in it."""
    for item in items:
        if isinstance(item, Constraint):
            continue
        yield item
        if isinstance(item, Alternative):
            for branch in item.branches:
                yield from choices_in(branch)


def constraints_in(items: Sequence[Item]) -> Iterator[Constraint]:
    """Every constraint of a region and of the branches in it."""
    for item in items:
        if isinstance(item, Constraint):
            yield item
        elif isinstance(item, Alternative):
            for branch in item.branches:
                yield from constraints_in(branch)


def uncounted(constraint: Constraint) -> Constraint:
    """The constraint as one that only a run decides."""
    return replace(
        constraint, names=(), holds=lambda _: True, formula=None, is_counted=False
    )


def check_choice(choice: Choice) -> None:
    """Refuse a choice without options, with equal options, or with missing labels."""
    kind = "knob" if isinstance(choice, Knob) else "alternative"
    if not choice.options:
        raise UserError(f"{kind} '{choice.name}' has no options", place=choice.place)
    # In Python 1 == True, so compare the types as well.
    if len({(type(option), option) for option in choice.options}) < len(choice.options):
        raise UserError(
            f"{kind} '{choice.name}' lists an option twice: {options_text(choice)}",
            place=choice.place,
        )
    if isinstance(choice, Alternative) and len(choice.labels) != len(choice.branches):
        raise UserError(
            f"alternative '{choice.name}' has {len(choice.branches)} branches and "
            f"{len(choice.labels)} labels",
            place=choice.place,
        )


def always_open(items: Sequence[Item]) -> frozenset[str]:
    """Names that are open at every point, such as a name that all branches have."""
    names: set[str] = set()
    for item in items:
        if isinstance(item, Constraint):
            continue
        names.add(item.name)
        if isinstance(item, Alternative):
            names |= frozenset.intersection(*map(always_open, item.branches))
    return frozenset(names)


def describe_items(items: Sequence[Item], indent: str) -> Iterator[str]:
    """Lines for a person: `BM in [64, 128]`, `choose loads`, `require ...`."""
    for item in items:
        if isinstance(item, Constraint):
            wait = "" if item.is_counted else " (depends on the payload)"
            yield f"{indent}require {_shortened(item.text)}{wait}"
        elif isinstance(item, Knob):
            yield f"{indent}{item.name} in {options_text(item)}{_default_text(item)}"
        else:
            yield f"{indent}choose {item.name}{_default_text(item)}"
            for label, branch in zip(item.labels, item.branches, strict=True):
                yield f"{indent}  {label}"
                yield from describe_items(branch, indent + "    ")


def _default_text(choice: Choice) -> str:
    return "" if choice.default is None else f" default {choice.default}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


_LONGEST = 400
"""The number of characters of a constraint that are printed."""
_SHOWN = 12
"""The number of options that are printed; a longer list ends with its length."""


def options_text(choice: Choice) -> str:
    """`[64, 128]`; a long list is shortened."""
    shown = [str(option) for option in choice.options[:_SHOWN]]
    if len(choice.options) > _SHOWN:
        shown.append(f"... {len(choice.options)} in all")
    return "[" + ", ".join(shown) + "]"
