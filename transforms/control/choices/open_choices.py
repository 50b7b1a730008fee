"""The knobs and alternatives of a schedule, and which of them are open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.transforms.control.choices.choice import choice_ops
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import Value


@dataclass(frozen=True)
class Choice:
    """An open choice: its name, its options and its default, if it has one."""

    name: str
    options: tuple[Value, ...]
    op: KnobOp | AlternativesOp

    @property
    def default(self) -> Value | None:
        """The option that closes the choice where a point leaves it open."""
        return self.op.default


def choices(module: ModuleOp) -> Iterator[KnobOp | AlternativesOp]:
    """Every knob and alternatives of a schedule, in the order it would run them."""
    for op in choice_ops(module):
        assert isinstance(op, KnobOp | AlternativesOp)
        yield op


def options_of(op: KnobOp | AlternativesOp) -> tuple[Value, ...]:
    """The options of a choice: values or labels."""
    return op.values if isinstance(op, KnobOp) else op.labels


def open_choices(module: ModuleOp) -> list[Choice]:
    """The open choices, each name once, in the schedule's order."""
    found: dict[str, Choice] = {}
    for op in choices(module):
        if op.is_open:
            name = op.choice_name
            found.setdefault(name, Choice(name, options_of(op), op))
    return list(found.values())
