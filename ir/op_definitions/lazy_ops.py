"""Ops are defined when they are first used, not when their file is imported.

`irdl_op_definition` works out an op's fields, constraints and assembly format. That
takes about a millisecond an op, and a run needs a few dozen of some five hundred. After
`install()`, the decorator leaves stubs that do this work when the definition or traits
of an op are first read, or the op is first parsed or built.

Ops that are defined already stay as they are, so xDSL may be imported before; less time
is saved then. The packages that define ops or import xDSL's dialects, `ir.dialects` and
`transforms`, call `install()` before their files are imported.
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
"""For each op not yet defined: the attributes of its class that the stubs replace."""


def install() -> None:
    """From now on, define ops when they are first used."""
    xdsl.irdl.irdl_op_definition = define_on_first_use
    xdsl.irdl.operations.irdl_op_definition = define_on_first_use


def define_on_first_use(op: type[_Op]) -> type[_Op]:
    """Stands in for `irdl_op_definition`, and defines the op later."""
    stubs: dict[str, Any] = {"get_irdl_definition": _DEFINITION, "traits": _TRAITS}
    # Without a format, the op's own `parse` builds the op, which reads the definition.
    if op.assembly_format is not None:
        stubs["parse"] = _PARSE
    _set_aside[op] = {name: op.__dict__.get(name, _ABSENT) for name in stubs}
    for name, stub in stubs.items():
        setattr(op, name, stub)
    return op


def pending() -> frozenset[type[IRDLOperation]]:
    """The ops that are not defined yet, because nothing has used them."""
    return frozenset(_set_aside)


def _define_now(op: type[IRDLOperation]) -> None:
    # Both import xDSL's dialects, which `--help` does not need.
    from tilewright.ir.op_definitions import quick_accessors, quick_checks

    with _LOCK:
        if op not in _set_aside:
            return
        for name, value in _set_aside[op].items():
            if value is _ABSENT:
                delattr(op, name)
            else:
                setattr(op, name, value)
        own = getattr(op, "verify_", None)
        _define(op)
        quick_accessors.install(op)
        quick_checks.install(op, own)
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
