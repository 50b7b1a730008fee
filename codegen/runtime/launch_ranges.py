"""Launchers whose launches and library calls are ranges of torch's profiler.

The launcher is written from its plan with each launch in a `record_function` with a
name. Programs are loaded like this while `named_ranges` is active; others have no
ranges, and their launches take no longer.

Before:
    f_kernel[(8,)](a, out, num_warps=4)

After:
    with record_function("tilewright::f/f_kernel <planned>:10 ..."):
        f_kernel[(8,)](a, out, num_warps=4)
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tilewright.codegen.launches.launcher_text import Around, LauncherText
from tilewright.codegen.source import escape
from tilewright.ir.errors import Place

if TYPE_CHECKING:
    from tilewright.codegen.launches.plan import LaunchPlan
    from tilewright.codegen.program import GeneratedProgram

PREFIX = "tilewright::"
_RANGE = "_tilewright_range"
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
    plan = program.launch_plan
    if plan is None or not _active:
        return launcher
    return with_ranges(launcher, plan, namer_of(program))


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


def around_of(program: GeneratedProgram) -> Around:
    """The range of each launch as text, for a launcher that has ranges."""
    return _around(namer_of(program))


def _around(name_of: Namer) -> Around:
    return lambda *called: f"{_RANGE}({escape.string(name_of(*called))})"


def with_ranges(
    launcher: Callable[..., Any], plan: LaunchPlan, name_of: Namer
) -> Callable[..., Any]:
    """A launcher with a range around each launch and library call."""
    from torch.profiler import record_function

    assert isinstance(launcher, FunctionType)

    text = "\n".join(LauncherText(plan, _around(name_of)).write())
    file = f"<ranges of {launcher.__code__.co_filename}>"
    scope = {**launcher.__globals__, _RANGE: record_function}
    exec(compile(text, file, "exec", dont_inherit=True), scope)
    return scope[launcher.__name__]
