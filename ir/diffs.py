"""Diffs of steps, in which values keep their names from step to step.

Without this, a new op at the top would renumber every value below it, and a diff would
show changes where there are none.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from difflib import unified_diff
from itertools import count

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.printing import PayloadPrinter


class Diffs:
    """Keeps the payload's text and the names in it; diffs the text after each step."""

    def __init__(self, payload: ModuleOp):
        self._names = StableNames()
        self._lines = self._print(payload)

    def after(self, payload: ModuleOp) -> list[str]:
        """The hunks of a unified diff from the payload at the previous call."""
        before, self._lines = self._lines, self._print(payload)
        diff = list(unified_diff(before, self._lines, lineterm="", n=3))
        return diff[2:]

    def _print(self, payload: ModuleOp) -> list[str]:
        self._names.forget_all_but(payload)
        stream = io.StringIO()
        StablePrinter(self._names, stream).print_op(payload)
        return stream.getvalue().splitlines()


class StableNames:
    """A name for each printed value, kept as long as the value is in the payload."""

    def __init__(self) -> None:
        self._names: dict[SSAValue, str] = {}
        self._taken: dict[Operation | None, set[str]] = {}
        """The names of each function; another may have the same."""

    def __getitem__(self, value: SSAValue) -> str:
        """The name of a value, chosen when it is first printed."""
        if (name := self._names.get(value)) is None:
            taken = self._taken.setdefault(_top_of(value), set())
            name = self._names[value] = _free_name(value, taken)
            taken.add(name)
        return name

    def forget_all_but(self, payload: ModuleOp) -> None:
        """Forget the names of values that are gone."""
        names: dict[SSAValue, str] = {}
        self._taken = {}
        for top in payload.ops:
            kept = {v: self._names[v] for v in _values(top) if v in self._names}
            self._taken[top] = set(kept.values())
            names |= kept
        self._names = names


class StablePrinter(PayloadPrinter):
    """Prints values by names that outlive the printer."""

    def __init__(self, names: StableNames, stream: io.StringIO):
        super().__init__(stream=stream)
        self._stable = names

    def print_ssa_value(self, value: SSAValue) -> str:
        """`%name`."""
        name = self._stable[value]
        self.print_string(f"%{name}")
        return name


def _values(top: Operation) -> Iterator[SSAValue]:
    for op in top.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


def _top_of(value: SSAValue) -> Operation | None:
    """The op of the module that a value lies in."""
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    while op is not None and not isinstance(op.parent_op(), ModuleOp | None):
        op = op.parent_op()
    return op


def _free_name(value: SSAValue, taken: set[str]) -> str:
    hint = value.name_hint
    if hint is None:
        return next(name for name in map(str, count()) if name not in taken)
    if hint not in taken:
        return hint
    return next(f"{hint}_{n}" for n in count(1) if f"{hint}_{n}" not in taken)
