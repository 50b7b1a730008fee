"""Write the choices of a point into a schedule.

A *point* maps the name of each knob to a value, and the name of each `alternatives` to
the label of a branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from xdsl.dialects.builtin import IntegerAttr, ModuleOp

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.transforms.control.choices.knob_options import holds
from tilewright.transforms.control.choices.open_choices import choices, options_of
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import (
    MOST_LISTED,
    Value,
    listed_values,
    value_attribute,
    value_text,
)


def bind(module: ModuleOp, point: Mapping[str, Value]) -> None:
    """Write a point's values into the schedule, in place; other choices stay open."""
    by_name: dict[str, list[KnobOp | AlternativesOp]] = {}
    for op in choices(module):
        by_name.setdefault(op.choice_name, []).append(op)
    for name, value in point.items():
        if name not in by_name:
            raise UserError(
                f"the schedule has no choice '{name}'",
                remedy=_which(name, list(by_name)),
            )
        for op in by_name[name]:
            if not _may_be(op, value):
                is_knob = isinstance(op, KnobOp)
                options = options_of(op)
                remedy = (
                    f"choose one of {op.shown_options()}"
                    if is_knob and not options
                    else _nearest(options, value)
                )
                raise UserError(
                    f"{'knob' if is_knob else 'choice'} '{name}' cannot be "
                    f"{value_text(value)}",
                    place_of(op),
                    remedy,
                )
    for name, value in point.items():
        for op in by_name[name]:
            _pick(op, value)
    for op in module.walk():
        if isinstance(op, SelectedRegionOp):
            name = op.alternatives_name.data
            labels = [label.data for label in op.labels]
            position = _position(labels, point[name]) if name in point else None
            if position is not None:
                op.selected = IntegerAttr.from_index_int_value(position)


def _pick(op: KnobOp | AlternativesOp, value: Value) -> None:
    position = _position(options_of(op), value)
    if isinstance(op, KnobOp):
        # A set without bounds lists no options but may hold the value.
        given = None if position is None else op.listed[position]
        op.selected = value_attribute(value) if given is None else given
    else:
        assert position is not None
        op.selected_region_attr = IntegerAttr.from_index_int_value(position)


def _may_be(op: KnobOp | AlternativesOp, value: Value) -> bool:
    """Whether `value` is an option of a choice."""
    if isinstance(op, KnobOp) and not op.listed:
        return holds(op.options, value_attribute(value))
    return _position(options_of(op), value) is not None


def _position(options: Sequence[Value], value: Value) -> int | None:
    # 1 and True are equal to Python but not to a person: compare with the type.
    for position, option in enumerate(options):
        if type(option) is type(value) and option == value:
            return position
    return None


def _which(name: str, known: Sequence[str]) -> str:
    if close := get_close_matches(name, known, n=1, cutoff=0.5):
        return f"did you mean '{close[0]}'?"
    return (
        f"its choices are {listed_values(known)}" if known else "it leaves nothing open"
    )


def _nearest(values: Sequence[Value], wanted: Value) -> str:
    """The options that were most likely meant."""
    if len(values) <= MOST_LISTED:
        return f"choose one of {listed_values(values)}"
    numbers = [v for v in values if not isinstance(v, str | bool)]
    if isinstance(wanted, int | float) and len(numbers) == len(values):
        near: Sequence[Value] = sorted(
            sorted(numbers, key=lambda value: abs(value - wanted))[:4]
        )
    else:
        near = get_close_matches(str(wanted), list(map(str, values)), n=4) or values
    return f"the nearest of its {len(values)} options are {listed_values(near[:4])}"
