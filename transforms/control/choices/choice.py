"""What knobs and alternatives have in common: a name, a default, and being open.

    %BM = transform.tune.knob<"BM"> options = [64, 128] -> !transform.param<i64>
    transform.tune.alternatives<"loads"> attributes {tilewright.labels = ["a", "b"]} {
      ...
    }, {
      ...
    }

Both are upstream's. A knob picks a value, alternatives pick a region. A *point* names
the picks; `bind.py` writes them into the ops. The attribute `tilewright.default` is the
option, or the label, that closes a choice which the point leaves open (`defaults.py`).
Running an op that is still open is a definite failure.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.transforms.control.choices.values import Value
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.state import TransformState

DEFAULT = "tilewright.default"
"""The attribute of a choice that has its default: an option or a label."""

CLOSED_BY_DEFAULT = "tilewright.closed_by_default"
"""Marks a bound choice whose value is its default, for messages about the point."""


class ChoiceOp(TransformOp):
    """An op that a point may bind."""

    @property
    @abstractmethod
    def choice_name(self) -> str:
        """The name in a point."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether nothing was picked."""

    @property
    @abstractmethod
    def default(self) -> Value | None:
        """What is picked where a point leaves it open, if it has a default."""


def choice_ops(module: ModuleOp) -> Iterator[ChoiceOp]:
    """Every choice of a schedule, in the order it would run them.

    Included sequences come where they are first included; sequences that are never
    included come last.
    """
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    seen: set[str] = set()

    def visit(op: Operation) -> Iterator[ChoiceOp]:
        for nested in op.walk():
            if isinstance(nested, ChoiceOp):
                yield nested
            elif isinstance(nested, IncludeOp):
                yield from enter(nested.target.string_value())

    def enter(name: str) -> Iterator[ChoiceOp]:
        if name in sequences and name not in seen:
            seen.add(name)
            yield from visit(sequences[name])

    yield from enter("__transform_main")
    for name in sequences:
        yield from enter(name)


def also_open(state: TransformState, name: str) -> str:
    """The other open choices, so that one error names them all."""
    first: dict[str, ChoiceOp] = {}
    for op in choice_ops(state.run.schedule):
        if op.is_open:
            first.setdefault(op.choice_name, op)
    others = [
        other for other, op in first.items() if other != name and op.default is None
    ]
    return f" (open too: {', '.join(others)})" if others else ""
