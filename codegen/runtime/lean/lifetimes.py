"""The first and the last statement that reads each tensor of a lean launcher."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilewright.codegen.runtime.lean.memory import Memory

ADDRESS = "_at_"
"""The prefix of a tensor's name in the name of its address."""
ARENA = "_arena"
"""The tensor that has the memory of temporaries."""


def names_in(statements: list[list[str]]) -> list[list[ast.Name]]:
    """The names in each statement."""
    trees = (ast.parse("\n".join(lines)) for lines in statements)
    return [[n for n in ast.walk(tree) if isinstance(n, ast.Name)] for tree in trees]


def lifetimes(names: list[list[ast.Name]]) -> dict[str, tuple[int, int]]:
    """The first and the last statement with each name.

    A kernel that reads an address reads the tensor.
    """
    found: dict[str, tuple[int, int]] = {}
    for place, here in enumerate(names):
        for node in here:
            name = node.id.removeprefix(ADDRESS)
            found[name] = found.get(name, (place, place))[0], place
    return found


def with_drops(
    statements: list[list[str]], names: list[list[ast.Name]], memory: Memory
) -> Iterator[str]:
    """The lines, with a `del` of each tensor after the last statement that reads it."""
    made = {
        node.id
        for here in names
        for node in here
        if isinstance(node.ctx, ast.Store)
        if node.id == ARENA or not node.id.startswith("_")
    }
    last = {name: place for name, (_, place) in lifetimes(names).items()}
    if ARENA in last:
        last[ARENA] = max(last[name] for name in (*memory.starts, ARENA))
    for place, lines in enumerate(statements):
        yield from lines
        dead = [name for name, at in last.items() if at == place and name in made]
        if dead and place < len(statements) - 1:
            yield f"del {', '.join(dead)}"
