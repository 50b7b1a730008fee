"""The source of a `@triton.jit` function, with everything that it uses.

Workers are other processes, and the user's script must not run again in them. So a
kernel travels as text: its own source, the `@triton.jit` functions that it calls, its
constants and its imports. Equal texts are equal kernels, in the results file too.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import textwrap
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from tilewright.ir.errors import Place
from tilewright.tuning.own_kernels.argument_uses import Uses, argument_uses
from tilewright.tuning.own_kernels.errors import ArgumentError

_OPTIONS = ("do_not_specialize", "do_not_specialize_on_alignment", "noinline", "debug")
"""The arguments of `triton.jit` that change a kernel."""

_RESERVED = {"torch", "triton", "launch", "jit"}
"""Names that the file of a program has for itself."""


@dataclass(frozen=True)
class KernelSource:
    """A kernel as text that needs only torch and triton."""

    name: str
    text: str
    parameters: tuple[str, ...]
    constexprs: frozenset[str]
    """The parameters that are `tl.constexpr`."""
    defaults: dict[str, Any]
    functions: dict[str, ast.FunctionDef]
    """The kernel and the functions that it calls, by name."""
    place: Place
    """The line of its `def`."""
    lines: tuple[str, ...]

    @cached_property
    def uses(self) -> Uses:
        """The parameters that it reads and writes through."""
        return argument_uses(self.name, self.functions)

    def place_at(self, line: int) -> Place:
        """The place of a line, counted from the `def` as 1."""
        at = min(max(line, 1), len(self.lines))
        text = self.lines[at - 1]
        column = len(text) - len(text.lstrip()) + 1
        return Place(self.place.file, self.place.line + at - 1, column, text)


def is_jit_function(value: Any) -> bool:
    """Whether this is a `@triton.jit` function, compiled or interpreted."""
    return hasattr(value, "arg_names") and inspect.isfunction(
        getattr(value, "fn", None)
    )


def unwrapped(kernel: Any) -> Any:
    """The `@triton.jit` function inside `@triton.autotune`."""
    while not is_jit_function(kernel) and hasattr(kernel, "fn"):
        if type(kernel).__name__ == "Heuristics":
            raise ArgumentError(
                f"'{_name(kernel)}' is decorated with @triton.heuristics",
                remedy="take the decorator off, and search the values that it computes",
            )
        kernel = kernel.fn
    if not is_jit_function(kernel):
        raise ArgumentError(
            f"{kernel!r} is not a @triton.jit function",
            remedy="decorate it with @triton.jit; TritonAutoTuner takes any callable",
        )
    return kernel


def read_kernel(kernel: Any) -> KernelSource:
    """The source of a kernel; a `UserError` where a part of it has none."""
    kernel = unwrapped(kernel)
    collected = _Collected()
    collected.add(kernel)
    own = collected.sources[kernel.fn.__name__]
    signature = inspect.signature(kernel.fn)
    parameters = signature.parameters
    return KernelSource(
        kernel.fn.__name__,
        collected.text(),
        tuple(parameters),
        frozenset(n for n, p in parameters.items() if "constexpr" in str(p.annotation)),
        {n: p.default for n, p in parameters.items() if p.default is not p.empty},
        {name: source.node for name, source in collected.sources.items()},
        own.place,
        tuple(own.text.splitlines()),
    )


@dataclass
class _Source:
    """One function: its text from the `def` on, and where it is from."""

    function: Any
    text: str
    node: ast.FunctionDef
    place: Place


@dataclass
class _Collected:
    """The functions, constants and imports of a kernel, by name."""

    sources: dict[str, _Source] = field(default_factory=dict[str, _Source])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """The statement that defines each name."""

    def add(self, function: Any) -> None:
        """Add a `@triton.jit` function and what it uses."""
        name = function.fn.__name__
        known = self.sources.get(name)
        if known is not None:
            if known.function.fn is not function.fn:
                raise _refused(
                    known.place, f"two functions that '{name}' uses have that name"
                )
            return
        source = _source_of(function)
        if name in _RESERVED:
            raise _refused(source.place, f"'{name}' is a name of the tuner")
        self.sources[name] = source
        scope = {**function.fn.__globals__, **_closure(function.fn)}
        for used in _free_names(source.node):
            if used in scope:
                self._define(used, scope[used], source.place)
            elif not hasattr(builtins, used):
                raise _refused(source.place, f"'{used}' is not defined")

    def _define(self, name: str, value: Any, place: Place) -> None:
        statement = self._statement(name, value, place)
        if self.names.setdefault(name, statement) != statement:
            raise _refused(
                place, f"'{name}' means two things in the kernel's functions"
            )

    def _statement(self, name: str, value: Any, place: Place) -> str:
        home = str(getattr(value, "__module__", "") or "")
        own_name = str(getattr(value, "__name__", "") or "")
        if isinstance(value, ModuleType):
            return f"import {value.__name__} as {name}{_content(value)}"
        if is_jit_function(value) and not value.fn.__module__.startswith("triton."):
            self.add(value)
            known = value.fn.__name__
            return "" if known == name else f"{name} = {known}"
        if (text := literal(value)) is not None:
            return f"{name} = {text}"
        if is_jit_function(value):
            home, own_name = value.fn.__module__, value.fn.__name__
        if home.split(".")[0] in ("triton", "math", "builtins") and own_name:
            return f"from {home} import {own_name} as {name}"
        raise _refused(
            place,
            f"it uses '{name}', which is {type(value).__name__} and cannot be written "
            "into a file",
            f"pass {name} as an argument, or make it a tl.constexpr number",
        )

    def text(self) -> str:
        """The statements, then the functions."""
        made = sorted(set(filter(None, self.names.values())), key=_order)
        aliases = [s for s in made if " = " in s and s.split(" = ")[1] in self.sources]
        parts = ["\n".join(s for s in made if s not in aliases)]
        for source in self.sources.values():
            parts.append(f"{_decorator(source.function)}\n{source.text}")
        if aliases:
            parts.append("\n".join(aliases))
        return "\n\n\n".join(filter(None, parts)) + "\n"


def literal(value: Any) -> str | None:
    """A value as Python text, which needs `tl` at most; None where it has none."""
    kind = type(value).__name__
    if kind == "constexpr" and hasattr(value, "value"):
        inner = literal(value.value)
        return None if inner is None else f"triton.language.constexpr({inner})"
    if kind == "dtype" and hasattr(value, "name"):
        return f"triton.language.dtype({value.name!r})"
    if isinstance(value, float) and (value != value or value in (1e999, -1e999)):
        return f"float({str(value)!r})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, tuple | list):
        inside = [literal(one) for one in value]
        if None in inside:
            return None
        return "(" + "".join(f"{one}, " for one in inside) + ")"
    return None


def _content(module: ModuleType) -> str:
    """A comment that changes when a module of the user's does."""
    file = getattr(module, "__file__", None)
    if module.__name__.split(".")[0] in ("triton", "torch", "math") or not file:
        return ""
    return f"  # {hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]}"


def _order(statement: str) -> tuple[int, str]:
    kinds = ("import ", "from ")
    found = [i for i, kind in enumerate(kinds) if statement.startswith(kind)]
    return (found[0] if found else len(kinds)), statement


def _source_of(function: Any) -> _Source:
    plain = function.fn
    try:
        lines, first = inspect.getsourcelines(plain)
        file = inspect.getsourcefile(plain) or plain.__code__.co_filename
    except (OSError, TypeError) as error:
        raise ArgumentError(
            f"the source of '{plain.__name__}' cannot be read: {error}",
            remedy="define the kernel in a file",
        ) from error
    text = textwrap.dedent("".join(lines))
    node = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef))
    kept = text.splitlines()[node.lineno - 1 : node.end_lineno]
    place = Place(file, first + node.lineno - 1, 1, kept[0])
    return _Source(function, "\n".join(kept), node, place)


def _decorator(function: Any) -> str:
    given = dict(getattr(function, "kwargs", {}))  # of an interpreted function
    options: dict[str, Any] = {}
    for name in _OPTIONS:
        if value := getattr(function, name, given.get(name)):
            options[name] = list(value) if isinstance(value, list | tuple) else value
    inside = ", ".join(f"{name}={value!r}" for name, value in options.items())
    return f"@triton.jit({inside})" if inside else "@triton.jit"


def _closure(function: Any) -> dict[str, Any]:
    return dict(inspect.getclosurevars(function).nonlocals)


def _free_names(node: ast.FunctionDef) -> list[str]:
    """The names that a function reads and does not bind, in order."""
    bound = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    read: dict[str, None] = {}
    # Decorators are written anew; the function's own name is that of a recursion.
    parts = [node.args, *node.body, *([node.returns] if node.returns else [])]
    for part in parts:
        for one in ast.walk(part):
            if isinstance(one, ast.Name):
                if isinstance(one.ctx, ast.Store):
                    bound.add(one.id)
                else:
                    read[one.id] = None
    return [name for name in read if name not in bound]


def _name(kernel: Any) -> str:
    return str(getattr(kernel, "__name__", None) or getattr(kernel, "fn", kernel))


def _refused(
    place: Place, fact: str, remedy: str = "rename one of them"
) -> ArgumentError:
    return ArgumentError(f"this kernel cannot be tuned: {fact}", place, remedy)
