"""What a planned schedule does first: ops that are not one loop nest become several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY
from tilewright.transforms.interpreter import prepare as prepare_run


@dataclass(frozen=True)
class Prepared:
    """The payload as the planner sees it, and the statements that make it so."""

    payload: ModuleOp
    statements: tuple[str, ...]


def prepare(payload: ModuleOp) -> Prepared:
    """Write out the ops that are several loop nests; fills are not shared."""
    statements: list[str] = []
    fills = [op for op in payload.walk() if isinstance(op, FillOp) and op.results]
    if any(len(list(fill.results[0].uses)) > 1 for fill in fills):
        statements.append("patterns root [tilewright.own_fills]")
    if any(isinstance(op, SoftmaxOp) for op in payload.walk()):
        statements += [
            'softmaxes = match "linalg.softmax" in root',
            "softmaxes = decompose softmaxes",
        ]
    return prepared_by(Prepared(payload, ()), statements)


def prepared_by(before: Prepared, statements: Sequence[str]) -> Prepared:
    """The payload after some statements more; the one before stays as it is."""
    if not statements:
        return before
    text = "\n".join(["schedule first(root) {", *statements, "}"])
    run = prepare_run(Schedule.from_text(text).bound({}), before.payload.clone())
    run.start(ENTRY)
    return Prepared(run.payload, (*before.statements, *statements))
