"""The context: every dialect that a payload may use, in upstream's syntax.

A dialect is imported when a text first names it. xDSL's dialects have ops that this
compiler does not support. The context leaves them out, so that the parser refuses a
payload that uses one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import cast

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from tilewright.ir.dialects.unregistered import (
    may_be_unregistered,
    unregistered_attribute,
    unregistered_op,
)
from tilewright.ir.dialects.unsupported import OF_SMALL_DIALECTS

DIALECTS: Mapping[str, str] = {
    "builtin": "xdsl.dialects.builtin.Builtin",
    "func": "tilewright.ir.dialects.func.Func",
    "cf": "tilewright.ir.dialects.cf.Cf",
    "dlti": "tilewright.ir.dialects.dlti.Dlti",
    "arith": "tilewright.ir.dialects.arith.Arith",
    "math": "tilewright.ir.dialects.math.Math",
    "affine": "tilewright.ir.dialects.affine.Affine",
    "tensor": "tilewright.ir.dialects.tensor.Tensor",
    "scf": "tilewright.ir.dialects.scf.Scf",
    "linalg": "tilewright.ir.dialects.linalg.Linalg",
    "vector": "tilewright.ir.dialects.vector.Vector",
    "memref": "tilewright.ir.dialects.memref.MemRef",
    "bufferization": "tilewright.ir.dialects.bufferization.Bufferization",
    "gpu": "tilewright.ir.dialects.gpu.Gpu",
    "ub": "tilewright.ir.dialects.ub.UB",
    "kernel": "tilewright.ir.dialects.kernel.Kernel",
    "warps": "tilewright.ir.dialects.warps.Warps",
}
"""The dialects of a payload: the name, and the path of its definition."""

FindOp = Callable[[str], type[Operation] | None]
"""Finds the op of a name, or None."""


@dataclass
class LazyContext(Context):
    """A context whose dialects and ops are imported when they are first named."""

    reads_unregistered: bool = False
    """Whether it accepts ops, types and attributes of unknown dialects."""
    _finders: list[tuple[FindOp, Callable[[], Iterable[str]]]] = field(
        default_factory=list[tuple[FindOp, "Callable[[], Iterable[str]]"]]
    )

    def add_ops(self, find: FindOp, names: Callable[[], Iterable[str]]) -> None:
        """Add ops that are imported one by one: `find` imports, `names` lists them."""
        self._finders.append((find, names))

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        """The op of this name, imported at its first use; None if there is none."""
        full_names = (name, *(f"{d}.{name}" for d in reversed(dialect_stack)))
        for full_name in full_names:
            for find, _ in self._finders:
                if found := find(full_name):
                    return found
        found = super().get_optional_op(name, dialect_stack=dialect_stack)
        if found is None and self.reads_unregistered:
            return next(filter(None, map(opaque_op, full_names)), None)
        return found

    def get_generic_op(self, name: str) -> type[Operation] | None:
        """The op that `"name"(...)` stands for, which may be of an unknown dialect."""
        if (found := self.get_optional_op(name)) is not None:
            return found
        if self.reads_unregistered and may_be_unregistered(name):
            return unregistered_op(name)
        return None

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        """The type of this name, which may be of an unknown dialect."""
        found = super().get_optional_type(name)
        if found is None and self.reads_unregistered and may_be_unregistered(name):
            return cast(type[TypeAttribute], unregistered_attribute(name, True))
        return found

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        """The attribute of this name, which may be of an unknown dialect."""
        found = super().get_optional_attr(name)
        if found is None and self.reads_unregistered and may_be_unregistered(name):
            return unregistered_attribute(name, False)
        return found

    def op_names(self) -> list[str]:
        """The name of every op; imports the payload's dialects to list theirs."""
        for dialect in list(self.registered_dialect_names):
            if all(dialect != loaded.name for loaded in self.loaded_dialects):
                self.load_registered_dialect(dialect)
        loaded = [op.name for op in self.loaded_ops]
        return loaded + [name for _, names in self._finders for name in names()]

    def all_ops(self) -> list[type[Operation]]:
        """Every op. Imports them all."""
        return [self.get_op(name) for name in self.op_names()]


def opaque_op(name: str) -> type[Operation] | None:
    """The op of this name that is read and printed only."""
    from tilewright.ir.dialects.opaque import OPAQUE

    return OPAQUE.get(name)


@cache
def _supported(home: str) -> Dialect:
    """A dialect without the ops that are not supported yet."""
    file, _, name = home.rpartition(".")
    module = import_module(file)
    dialect: Dialect = getattr(module, name)
    left_out = OF_SMALL_DIALECTS | getattr(module, "NOT_YET", frozenset[str]())
    known = [op for op in dialect.operations if op.name not in left_out]
    return replace(dialect, _operations=known)


def payload_context(*, reads_unregistered: bool = False) -> LazyContext:
    """A fresh context with the payload's dialects."""
    context = LazyContext(reads_unregistered=reads_unregistered)
    for name, home in DIALECTS.items():
        context.register_dialect(name, lambda home=home: _supported(home))
    context.load_registered_dialect("builtin")
    return context
