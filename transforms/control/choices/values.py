"""The values that a knob may take: as attributes, as Python values, and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute

Value: TypeAlias = int | float | bool | str


MOST_LISTED = 12
"""The most options that an error lists; of more, it lists the first or nearest."""


def value_attribute(value: Value | Attribute) -> Attribute:
    """A constant as an attribute."""
    if isinstance(value, Attribute):
        return value
    if isinstance(value, bool):
        return BoolAttr.from_bool(value)
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, float):
        return FloatAttr(value, f64)
    return StringAttr(value)


def value_of(attribute: Attribute) -> Value:
    """An attribute as a Python value."""
    if isinstance(attribute, IntegerAttr):
        # `isa` checks the type parameter too, and there may be 10,000 options.
        integer = cast("IntegerAttr[IntegerType | IndexType]", attribute)
        return bool(integer.value.data) if integer.type == i1 else integer.value.data
    if isinstance(attribute, FloatAttr):
        return attribute.value.data
    if isinstance(attribute, StringAttr):
        return attribute.data
    return str(attribute)


def value_text(value: Value) -> str:
    """A value as `.tw` writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed_values(values: Sequence[Value]) -> str:
    """Values in a row, the first dozen of many."""
    shown = [value_text(value) for value in values[:MOST_LISTED]]
    if len(values) > MOST_LISTED:
        shown.append(f"... {len(values)} in all")
    return ", ".join(shown)
