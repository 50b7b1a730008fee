"""Attributes of the kernel level as keyword arguments of Triton's functions."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f64, i32

from tilewright.codegen.emit.expressions.written import triton_type
from tilewright.codegen.source import escape
from tilewright.codegen.source.python_text import Expression, Literal
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import DotOp, LoadOp, StoreOp, element_of
from tilewright.ir.launch_attributes.table import (
    LOOP_ATTRIBUTES,
    OF_ROLES,
    PREFIX,
    Kind,
)
from tilewright.ir.launch_attributes.values import launch_attribute

_RANGE_ARGUMENTS = {
    "unroll": "loop_unroll_factor",
    "single_accumulator": "disallow_acc_multi_buffer",
}
"""Attributes of a loop that have another name in `tl.range`."""


def loop_hints(loop: scf.ForOp) -> Iterator[tuple[str, Expression]]:
    """The attributes of a loop, as arguments of `tl.range`."""
    for row in LOOP_ATTRIBUTES:
        value = launch_attribute(loop, row.name)
        if value is not None and row.name not in OF_ROLES:
            word = row.name.removeprefix(PREFIX)
            of = bool if row.kind is Kind.FLAG else int
            yield _RANGE_ARGUMENTS.get(word, word), Literal(str(of(value)))


def dot_keywords(op: DotOp) -> tuple[tuple[str, Expression], ...]:
    """The precision and the result type of a dot, where not the default."""
    if op.input_precision is not None:
        return (("input_precision", Literal(escape.string(op.input_precision.data))),)
    kind = element_of(op.result.type)
    if op.acc is not None and kind in (i32, f64):
        # Without `out_dtype`, the result is f32, whatever the accumulator.
        return (("out_dtype", triton_type(kind)),)
    return ()


def cache_hints(op: LoadOp | StoreOp) -> Iterator[tuple[str, Expression]]:
    """The cache hints of an access."""
    if op.cache is not None:
        yield "cache_modifier", Literal(escape.string(f".{op.cache.data}"))
    if op.eviction is not None:
        yield "eviction_policy", Literal(escape.string(op.eviction.data))
