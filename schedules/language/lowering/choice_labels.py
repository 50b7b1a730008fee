"""The names of all choices between branches or orders, with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.schedules.language.lowering.orders import labels_of
from tilewright.schedules.language.syntax import (
    Choose,
    ForEach,
    Guarded,
    Order,
    Permute,
    Statement,
    Try,
)


def choices_of(
    bodies: Sequence[Sequence[Statement]],
) -> Iterator[tuple[str, Sequence[str]]]:
    """The name and the labels of every `choose`, at any depth of these bodies."""
    queue = list(bodies)
    while queue:
        for statement in queue.pop():
            if isinstance(statement, Choose):
                labels = [branch.label.text for branch in statement.branches]
                yield statement.name.text, labels
                queue += [branch.body for branch in statement.branches]
            elif isinstance(statement, Permute):
                yield statement.name.text, labels_of(statement)
                queue += [branch.body for branch in statement.branches]
            elif isinstance(statement, Order):
                yield statement.target.text, labels_of(statement)
            elif isinstance(statement, Try):
                queue += [branch.statements for branch in statement.branches]
            elif isinstance(statement, ForEach | Guarded):
                queue.append(statement.body.statements)
