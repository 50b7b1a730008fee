"""Unique names for emitted source, and hints that a person may have chosen."""

from __future__ import annotations

import re

from tilewright.codegen.source.escape import RESERVED, identifier, plain_name
from tilewright.ir.name_hints import name_hint

_COMPILER_NAME = re.compile(r"(alloc|empty|subview|arg|cst|c|v|pad)?_?\d*")
"""Upstream's names for values without a name."""


def reader_name(hint: str | None) -> str | None:
    """The hint, if a person may have chosen it."""
    if not hint or _COMPILER_NAME.fullmatch(hint):
        return None
    return name_hint(plain_name(hint))


class Names:
    """Gives out Python names, unique in a scope and the scopes around it."""

    def __init__(self, taken: set[str]):
        self._scopes = [{*taken, *RESERVED}]
        self._numbers: dict[str, int] = {}
        """For each name, the last number that was appended in the outermost scope."""

    def enter(self) -> None:
        """Open a scope; its names are free again after `leave`."""
        self._scopes.append(set())

    def leave(self) -> None:
        """Close the scope that was opened last."""
        self._scopes.pop()

    def fresh(self, wanted: str) -> str:
        """`wanted`, with a number appended if that name is taken."""
        wanted = name = identifier(wanted)
        number = 1
        while any(name in scope for scope in self._scopes):
            # Names of the outermost scope stay, so the search continues where it ended.
            number = max(number, self._numbers.get(wanted, 1)) + 1
            name = f"{wanted}{number}"
        self._scopes[-1].add(name)
        if len(self._scopes) == 1:
            self._numbers[wanted] = number
        return name
