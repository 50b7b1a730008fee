"""Expressions of sizes: integers, names, + - * // %, min and max."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

_ALLOWED = (
    ast.Expression,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.UnaryOp,
    ast.USub,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
)
_FUNCTIONS = {"min": min, "max": max}


def compiled(text: int | str) -> Callable[[Mapping[str, int]], int]:
    """A function of the sizes; refuses anything but arithmetic on them."""
    if isinstance(text, int):
        number = text
        return lambda sizes: number
    tree = _parsed(text)
    for node in ast.walk(tree):
        is_known = isinstance(node, _ALLOWED)
        if isinstance(node, ast.Constant):
            is_known = type(node.value) is int
        if isinstance(node, ast.Call):
            function = node.func
            is_known = isinstance(function, ast.Name) and function.id in _FUNCTIONS
            is_known = is_known and not node.keywords
        if not is_known:
            raise ValueError(
                f"the metadata has an expression that is not a size: {text[:80]!r}"
            )
    code = compile(tree, "<size>", "eval")

    def value(sizes: Mapping[str, int]) -> int:
        scope: dict[str, Any] = {"__builtins__": {}, **_FUNCTIONS}
        return eval(code, scope, dict(sizes))

    return value


def names_in(text: str) -> set[str]:
    """The sizes that an expression reads."""
    nodes = ast.walk(_parsed(text))
    return {node.id for node in nodes if isinstance(node, ast.Name)} - {*_FUNCTIONS}


def _parsed(text: str) -> ast.Expression:
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(
            f"the metadata has an expression that is not a size: {text[:80]!r}"
        ) from None
