"""Define xDSL's ops when they are first used, not when their file is imported.

`irdl_op_definition` works out an op's fields, constraints and assembly format. That
takes about a millisecond an op, and a run needs a few dozen of some five hundred. Once
`install()` was called, the decorator leaves stubs behind that do the same work when
somebody asks for the op's definition or its traits, or parses or builds one.

Ops that are defined already stay as they are: it does not matter whether xDSL was
imported before, less time is saved then. The packages that define ops, or import xDSL's
dialects, install it before their files are imported: `ir.dialects` and `transforms`.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import xdsl.irdl
import xdsl.irdl.operations
from xdsl.ir import OpTraits
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.irdl import irdl_op_definition as _define

if TYPE_CHECKING:
    from xdsl.parser import Parser

_Op = TypeVar("_Op", bound=IRDLOperation)

_ABSENT = object()
_LOCK = RLock()
"""Two threads may use an op for the first time at once."""

_set_aside: dict[type[IRDLOperation], dict[str, Any]] = {}
"""Of the ops not yet defined: what the class had under the names of the stubs."""


def install() -> None:
    """Define the ops of files that are imported from now on when they are used."""
    xdsl.irdl.irdl_op_definition = define_on_first_use
    xdsl.irdl.operations.irdl_op_definition = define_on_first_use


def define_on_first_use(op: type[_Op]) -> type[_Op]:
    """Do what `irdl_op_definition` does, later."""
    stubs: dict[str, Any] = {"get_irdl_definition": _DEFINITION, "traits": _TRAITS}
    # Without a format, the op's own `parse` builds one, which asks for the definition.
    if op.assembly_format is not None:
        stubs["parse"] = _PARSE
    _set_aside[op] = {name: op.__dict__.get(name, _ABSENT) for name in stubs}
    for name, stub in stubs.items():
        setattr(op, name, stub)
    return op


def pending() -> frozenset[type[IRDLOperation]]:
    """The ops that nobody has used yet."""
    return frozenset(_set_aside)


def _define_now(op: type[IRDLOperation]) -> None:
    with _LOCK:
        if op not in _set_aside:
            return
        for name, value in _set_aside[op].items():
            if value is _ABSENT:
                delattr(op, name)
            else:
                setattr(op, name, value)
        _define(op)
        del _set_aside[op]


def _definition(op: type[IRDLOperation]) -> OpDef:
    _define_now(op)
    return op.get_irdl_definition()


def _parse(op: type[IRDLOperation], parser: Parser) -> IRDLOperation:
    _define_now(op)
    return op.parse(parser)


class _Traits:
    """Stands for the traits of an op that is not defined yet."""

    def __get__(self, _: object, op: type[IRDLOperation]) -> OpTraits:
        _define_now(op)
        return op.traits


_DEFINITION = classmethod(_definition)
_PARSE = classmethod(_parse)
_TRAITS = _Traits()
