"""The names that a statement binds, one for each of its results."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, VarResultDef

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.schedules.language.syntax import (
    Action,
    Constant,
    Knob,
    Name,
    Order,
    Require,
    Statement,
    Target,
    Yield,
)


def targets_of(statement: Statement) -> tuple[Target, ...]:
    """The names before the `=`."""
    if isinstance(statement, Knob | Constant):
        return (statement.target,)
    if isinstance(statement, Require | Yield | Order):
        return ()
    return statement.targets


def _enough_names(values: Sequence[SSAValue]) -> str:
    """`bind 2 names: TILED_OP, FORALL_OP = ...`, by the names of an op's results."""
    owner = values[0].owner
    words = f"bind {count(len(values), 'name')}"
    if not isinstance(owner, IRDLOperation):
        return words
    results = owner.get_irdl_definition().results
    names = [name.upper() for name, _ in results]
    if names and isinstance(results[-1][1], VarResultDef):
        names += names[-1:] * (len(values) - len(names))
    return f"{words}: {', '.join(names)} = ..." if len(names) == len(values) else words


def check_targets(
    statement: Statement, targets: Sequence[Name], values: Sequence[SSAValue]
) -> None:
    """Refuse names unless there is one for each result."""
    if targets and len(targets) != len(values):
        what = f"{statement.verb.text}: " if isinstance(statement, Action) else ""
        raise UserError(
            f"{what}{count(len(values), 'result')} for {count(len(targets), 'name')}",
            targets[0].place,
            _enough_names(values) if values else "remove the names",
        )
    seen: set[str] = set()
    for target in targets:
        if "." in target.text:
            raise UserError(
                f"'{target.text}': a name has no dots",
                target.place,
                f"write {target.text.replace('.', '_')}",
            )
        if target.text in seen:
            raise UserError(
                f"'{target.text}' is bound twice here",
                target.place,
                "give each result a name of its own",
            )
        seen.add(target.text)
