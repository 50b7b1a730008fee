"""Which tensors a kernel reads and which it writes, found in its source.

Triton's kernels return nothing; they store through pointers. The pointer of a store is
followed back to the parameters that it is computed from, through assignments and calls
of other `@triton.jit` functions. A value that was loaded is not a pointer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_LOADS = ("load", "gather", "experimental_descriptor_load")
_STORES = ("store", "scatter", "experimental_descriptor_store")
_POINTERS = ("pointer", "desc", "ptr")
"""Names of the first parameter of these functions."""


@dataclass
class Uses:
    """The parameters that a function reads through, and those it writes through."""

    read: set[str] = field(default_factory=set[str])
    written: set[str] = field(default_factory=set[str])


def argument_uses(kernel: str, functions: Mapping[str, ast.FunctionDef]) -> Uses:
    """The uses of a kernel's parameters; `functions` has it and those it calls."""
    return _Reader(functions).uses(kernel)


class _Reader:
    def __init__(self, functions: Mapping[str, ast.FunctionDef]) -> None:
        self._functions = functions
        self._known: dict[str, Uses] = {}

    def uses(self, name: str) -> Uses:
        if name in self._known:
            return self._known[name]
        found = self._known[name] = Uses()  # a recursion sees what is known so far
        node = self._functions[name]
        origins = self._origins(node)
        for call in _calls(node):
            self._use(call, origins, found)
        return found

    def _use(
        self, call: ast.Call, origins: Mapping[str, set[str]], found: Uses
    ) -> None:
        name, receiver = _callee(call)
        if receiver is None and name in self._functions:
            inner = self.uses(name)
            for parameter, argument in self._passed(name, call):
                through = self._roots(argument, origins)
                if parameter in inner.read:
                    found.read |= through
                if parameter in inner.written:
                    found.written |= through
            return
        pointer = _pointer(call, receiver, origins)
        if pointer is None:
            return
        through = self._roots(pointer, origins)
        if name in _LOADS or name.startswith("atomic_"):
            found.read |= through
        if name in _STORES or name.startswith("atomic_"):
            found.written |= through

    def _passed(self, name: str, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        parameters = [a.arg for a in self._functions[name].args.args]
        yield from zip(parameters, call.args, strict=False)
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value

    def _origins(self, node: ast.FunctionDef) -> dict[str, set[str]]:
        """The parameters that each name of a function is computed from."""
        parameters = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)]
        origins = {name: {name} for name in parameters}
        assignments = list(_assignments(node))
        changed = True
        while changed:
            changed = False
            for target, value in assignments:
                new = self._roots(value, origins)
                for name in _names(target):
                    known = origins.setdefault(name, set())
                    if not new <= known:
                        known |= new
                        changed = True
        return origins

    def _roots(self, value: ast.expr, origins: Mapping[str, set[str]]) -> set[str]:
        if isinstance(value, ast.Call):
            name, _ = _callee(value)
            if name in _LOADS or name.startswith("atomic_"):
                return set()
        if isinstance(value, ast.Name):
            return set(origins.get(value.id, ()))
        found: set[str] = set()
        for child in ast.iter_child_nodes(value):
            if isinstance(child, ast.expr):
                found |= self._roots(child, origins)
            elif isinstance(child, ast.keyword):
                found |= self._roots(child.value, origins)
        return found


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Call))


def _callee(call: ast.Call) -> tuple[str, ast.expr | None]:
    """The name of a called function, and what stands before its dot."""
    match call.func:
        case ast.Attribute(value=receiver, attr=name):
            return name, receiver
        case ast.Name(id=name):
            return name, None
        case _:
            return "", None


def _pointer(
    call: ast.Call, receiver: ast.expr | None, origins: Mapping[str, set[str]]
) -> ast.expr | None:
    """What a load or store goes through: its first argument, or a descriptor.

    `desc.store(...)` stands on a name of the function, `tl.store(...)` on a module.
    """
    names = _names(receiver) if receiver is not None else set()
    if names & origins.keys():
        return receiver
    if call.args:
        return call.args[0]
    return next((k.value for k in call.keywords if k.arg in _POINTERS), None)


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    for one in ast.walk(node):
        match one:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _pairs(target, value)
            case ast.AugAssign(target=target, value=value):
                yield target, value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield target, value
            case ast.NamedExpr(target=target, value=value):
                yield target, value
            case ast.For(target=target, iter=value):
                yield target, value
            case _:
                pass


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """`a, b = x, y` is two assignments."""
    match target, value:
        case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
            for one, other in zip(names, values, strict=True):
                yield from _pairs(one, other)
        case _:
            yield target, value


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
