"""The transform dialect: ops by name, and the context that reads schedules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from xdsl.dialects.transform import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    OperationType,
    ParamType,
    TypeParamType,
)
from xdsl.ir import Dialect, Operation

from tilewright.ir.context import LazyContext, payload_context
from tilewright.transforms.cleanup.group_ops import GROUP_NAMES, GROUP_PREFIX, group_op
from tilewright.transforms.control.param_operand import ParamOperandAttr
from tilewright.transforms.core.base import AffineMapType
from tilewright.transforms.op_sources import PREFIX, op_sources

_TYPES = Dialect(
    "transform",
    [],
    [
        AffineMapType,
        AnyOpType,
        AnyParamType,
        AnyValueType,
        OperationType,
        ParamOperandAttr,
        ParamType,
        TypeParamType,
    ],
)


@cache
def transform_op(name: str) -> type[Operation] | None:
    """The op of this name (`transform.structured.match`), or None if there is none."""
    if name.startswith(GROUP_PREFIX) and name.removeprefix(GROUP_PREFIX) in GROUP_NAMES:
        return group_op(name.removeprefix(GROUP_PREFIX))
    source = op_sources().get(name.removeprefix(PREFIX))
    return source.load() if source is not None and name.startswith(PREFIX) else None


def transform_names() -> Iterable[str]:
    """The name of every transform op."""
    yield from (PREFIX + name for name in op_sources())
    yield from (GROUP_PREFIX + name for name in GROUP_NAMES)


def schedule_context(*, reads_unregistered: bool = False) -> LazyContext:
    """A context that reads payload and schedule alike."""
    context = payload_context(reads_unregistered=reads_unregistered)
    context.register_dialect("smt", _smt)
    context.load_dialect(_TYPES)
    context.add_ops(transform_op, transform_names)
    return context


def _smt() -> Dialect:
    from tilewright.ir.dialects.smt import Smt

    return Smt
