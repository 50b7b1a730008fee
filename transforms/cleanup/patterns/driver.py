"""The greedy driver: apply patterns until none of them acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from xdsl.ir import Operation
from xdsl.traits import IsTerminator, SymbolOpInterface, is_side_effect_free

from tilewright.ir.errors import CompilerBug
from tilewright.transforms.rewriter import Rewriter

Op = TypeVar("Op", bound=Operation)

MAX_ROUNDS = 64
"""Rounds before a set of patterns is taken to be looping: a bug, not a user's error."""


@dataclass(frozen=True)
class Pattern:
    """One rewrite: the op it looks at, and what it does to it.

    `rewrite(op, rewriter)` changes IR through the rewriter, or leaves it alone; the
    driver sees which by the rewriter's count of changes.
    """

    op_type: type[Operation]
    rewrite: Callable[[Operation, Rewriter], None]


def pattern(
    op_type: type[Op],
) -> Callable[[Callable[[Op, Rewriter], None]], Pattern]:
    """Declare a function to be a pattern on `op_type`."""

    def declare(rewrite: Callable[[Op, Rewriter], None]) -> Pattern:
        return Pattern(op_type, rewrite)  # pyright: ignore[reportArgumentType]

    return declare


def apply_greedily(
    root: Operation, patterns: Iterable[Pattern], rewriter: Rewriter
) -> None:
    """Apply patterns to all that is nested in `root`, dropping what is dead."""
    by_type: dict[type[Operation], list[Pattern]] = {}
    for entry in patterns:
        by_type.setdefault(entry.op_type, []).append(entry)
    for _ in range(MAX_ROUNDS):
        before = rewriter.changes
        for op in list(root.walk()):
            for entry in by_type.get(type(op), ()):
                if op is root or not root.is_ancestor(op):
                    break
                entry.rewrite(op, rewriter)
        erase_dead(root, rewriter)
        if rewriter.changes == before:
            return
    raise CompilerBug(f"patterns do not come to rest after {MAX_ROUNDS} rounds")


def erase_dead(root: Operation, rewriter: Rewriter) -> None:
    """Erase ops whose results nobody uses and that have no effect."""
    for op in list(root.walk(reverse=True)):
        if op is not root and root.is_ancestor(op) and is_dead(op):
            rewriter.erase(op)


def is_dead(op: Operation) -> bool:
    """Whether erasing `op` changes nothing."""
    return (
        not op.has_trait(IsTerminator)
        and not op.has_trait(SymbolOpInterface)
        and all(result.uses.get_length() == 0 for result in op.results)
        and is_side_effect_free(op)
    )
