"""Names a reader can use, told from names a compiler gave; each handed out once."""

from __future__ import annotations

import re

from tilewright.codegen.source.escape import RESERVED, identifier, plain_name
from tilewright.ir.name_hints import name_hint

_COMPILER_NAME = re.compile(r"(alloc|empty|subview|arg|cst|c|v|pad)?_?\d*")
"""What upstream calls values nobody named."""


def reader_name(hint: str | None) -> str | None:
    """The hint, if a person may have chosen it."""
    if not hint or _COMPILER_NAME.fullmatch(hint):
        return None
    return name_hint(plain_name(hint))


class Names:
    """Hands out Python names, each once in a scope and those around it."""

    def __init__(self, taken: set[str]):
        self._scopes = [{*taken, *RESERVED}]
        self._numbers: dict[str, int] = {}
        """The number behind a name that was handed out last in the outermost scope."""

    def enter(self) -> None:
        """Open a scope: its names are free again when it is left."""
        self._scopes.append(set())

    def leave(self) -> None:
        """Close the scope that was opened last."""
        self._scopes.pop()

    def fresh(self, wanted: str) -> str:
        """`wanted`, or with a number behind it where that is taken."""
        wanted = name = identifier(wanted)
        number = 1
        while any(name in scope for scope in self._scopes):
            # Names of the outermost scope stay, so the search goes on where it ended.
            number = max(number, self._numbers.get(wanted, 1)) + 1
            name = f"{wanted}{number}"
        self._scopes[-1].add(name)
        if len(self._scopes) == 1:
            self._numbers[wanted] = number
        return name
