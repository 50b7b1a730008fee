"""Launchers whose launches and library calls are ranges of torch's profiler.

The source of a launcher is rewritten: each launch stands in a `record_function` with a
name. Programs are loaded like this while `named_ranges` is active; others have no
ranges, and their launches take no longer.

Before:
    f_kernel[(8,)](a, out, num_warps=4)

After:
    with record_function("tilewright::f/f_kernel <planned>:10 ..."):
        f_kernel[(8,)](a, out, num_warps=4)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import Place

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram

PREFIX = "tilewright::"
_RANGE = "_tilewright_range"
_ALLOCATIONS = ("empty", "zeros", "full")
_LIBRARY_CALLS = (
    "_wide",
    "_padded_mm",
    "_addmm_gelu",
    "_scaled_mm",
    "_convolve",
)
"""The functions of a generated file that call libraries (`host_helpers.py`)."""

_PAYLOADS = ("<payload>",)
"""Texts of payloads: a grid from there was made by the default, not by a schedule."""

Namer = Callable[[int, str], str]
"""The name of a range, from the position of a launch and the name of its kernel."""

_active = 0
"""How many `named_ranges` are open."""


@contextmanager
def named_ranges() -> Generator[None]:
    """Give the launches of programs that are loaded meanwhile ranges."""
    global _active
    _active += 1
    try:
        yield
    finally:
        _active -= 1


def is_active() -> bool:
    """Whether launches get ranges."""
    return bool(_active)


def range_of(program: GeneratedProgram) -> Callable[[str], Any]:
    """A range for each launch of a program, by the name of its kernel."""
    from torch.profiler import record_function

    name_of = namer_of(program)
    return lambda kernel: record_function(name_of(0, kernel))


def ranged_if_active(
    launcher: Callable[..., Any], program: GeneratedProgram
) -> Callable[..., Any]:
    """The launcher itself, or with ranges while `named_ranges` is active."""
    return with_ranges(launcher, namer_of(program)) if _active else launcher


def has_ranges(launcher: Callable[..., Any]) -> bool:
    """Whether a launcher was loaded while `named_ranges` was active."""
    return _RANGE in getattr(launcher, "__globals__", {})


def namer_of(program: GeneratedProgram) -> Namer:
    """Names such as `tilewright::payload0/payload0_kernel <planned>:10 tile ...`."""

    def name(position: int, kernel: str) -> str:
        return f"{PREFIX}{program.entry}/{kernel} {statement(program, kernel)}".strip()

    return name


def statement(program: GeneratedProgram, kernel: str) -> str:
    """The schedule's line that made a kernel, with its text; empty if none did."""
    for name, line, place in program.places:
        if name == kernel and line == 1 and place.file not in _PAYLOADS:
            return statement_text(place)
    return ""


def statement_text(place: Place) -> str:
    """`<planned>:10 y, grid = tile y by [1, rows]`."""
    return f"{place.file}:{place.line} {' '.join((place.text or '').split())}".strip()


def with_ranges(launcher: Callable[..., Any], name_of: Namer) -> Callable[..., Any]:
    """A launcher with a range around each launch and library call."""
    from torch.profiler import record_function

    assert isinstance(launcher, FunctionType)
    file = launcher.__code__.co_filename
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    (function,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == launcher.__name__
    )
    _Ranges(name_of).visit(function)
    made = ast.fix_missing_locations(ast.Module([function], []))
    scope = {**launcher.__globals__, _RANGE: record_function}
    exec(compile(made, file, "exec", dont_inherit=True), scope)
    return scope[launcher.__name__]


class _Ranges(ast.NodeTransformer):
    """Wraps statements that launch a kernel or call a library."""

    def __init__(self, name_of: Namer):
        self._name_of = name_of
        self._count = 0

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return self._wrapped(node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        return self._wrapped(node)

    def _wrapped(self, node: ast.Expr | ast.Assign) -> ast.stmt:
        called = _called(node)
        if called is None:
            return node
        name = self._name_of(self._count, called)
        self._count += 1
        made = ast.Call(ast.Name(_RANGE, ast.Load()), [ast.Constant(name)], [])
        return ast.copy_location(ast.With([ast.withitem(made)], [node]), node)


def _called(statement: ast.stmt) -> str | None:
    """The kernel or the function of a library that a statement calls."""
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Subscript(value=ast.Name(id=kernel)):
                return kernel
            case ast.Name(id=helper) if helper in _LIBRARY_CALLS:
                return helper
            case ast.Attribute(value=ast.Name(id="torch"), attr=attr):
                if attr not in _ALLOCATIONS:
                    return f"torch.{attr}"
            case _:
                pass
    return None
