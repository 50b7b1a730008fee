"""Finds names of ops that a schedule looks for and that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.op_names import unknown_op
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.navigation import GetParentOp
from tilewright.transforms.handles.select import SelectOp
from tilewright.transforms.op_sources import PREFIX


def unknown_names(module: ModuleOp) -> Iterator[UserError]:
    """An error for each name that no op has; a warning where upstream runs it."""
    wanted = [(op, name) for op in module.walk() for name in _names(op)]
    if not wanted:
        return
    context = schedule_context()
    for op, name in wanted:
        if context.get_optional_op(name) is None:
            known = [n for n in context.op_names() if not n.startswith(PREFIX)]
            fact, remedy = unknown_op(name, known)
            if remedy is None and "." not in name:
                remedy = "write the dialect before it, as in 'linalg.matmul'"
            yield UserError(f"{verb_of(op)}: {fact}", place_of(op), remedy)


def _names(op: Operation) -> list[str]:
    if isinstance(op, MatchOp) and op.ops is not None:
        return [name.data for name in op.ops]
    if isinstance(op, SelectOp | GetParentOp) and op.op_name is not None:
        return [op.op_name.data]
    return []
