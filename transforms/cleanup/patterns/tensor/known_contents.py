"""Tensors whose elements are known are constants: `tensor.rewrite_as_constant`."""

from __future__ import annotations

from itertools import product
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation

from tilewright.ir.dialects import arith
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    splat,
)
from tilewright.transforms.cleanup.driver import Pattern, pattern_on
from tilewright.transforms.cleanup.patterns.tensor.pads import (
    constant_padding,
    padding_of,
)
from tilewright.transforms.core.rewriter import Rewriter


def _yielded(op: Operation) -> Any:
    """The number that the body of an op yields, if it is a constant."""
    value = constant_padding(op)
    if value is None or not isinstance(value.owner, arith.ConstantOp):
        return None
    return attribute_of(value)


@pattern_on("tensor.generate")
def generate_constant(op: Operation, rewriter: Rewriter) -> None:
    """A static tensor that has one number everywhere."""
    kind, number = tensor_type(op.results[0]), _yielded(op)
    if number is not None and kind.has_static_shape():
        become(op, splat(number, kind), rewriter)


@pattern_on("tensor.pad")
def pad_constant(op: Operation, rewriter: Rewriter) -> None:
    """A constant with a constant around it."""
    number, inner = _yielded(op), attribute_of(op.operands[0])
    kind: Any = tensor_type(op.results[0])
    if number is None or not isinstance(inner, DenseIntOrFPElementsAttr):
        return
    low, high = padding_of(op)
    amounts = [amount for amount in (*low, *high) if isinstance(amount, int)]
    is_static = len(amounts) == 2 * len(low) and min(amounts, default=0) >= 0
    if not is_static or not kind.has_static_shape():
        return
    values = inner.get_values()
    if len(values) == 1:
        values = values * _count(op)
    elements = iter(values)
    shape = tensor_type(op.operands[0]).get_shape()
    starts = amounts[: len(low)]
    padding = number.value.data
    made = [
        next(elements)
        if all(
            start <= index < start + size
            for index, start, size in zip(place, starts, shape, strict=True)
        )
        else padding
        for place in product(*map(range, kind.get_shape()))
    ]
    become(op, DenseIntOrFPElementsAttr.from_list(kind, made), rewriter)


@pattern_on("tensor.pad")
def _pad_lone_constant(op: Operation, rewriter: Rewriter) -> None:
    """A constant that nothing else uses."""
    if op.operands[0].has_one_use():
        pad_constant.rewrite(op, rewriter)


def _count(op: Operation) -> int:
    count = 1
    for size in tensor_type(op.operands[0]).get_shape():
        count *= size
    return count


def rewrite_as_constant(aggressive: bool) -> tuple[Pattern, ...]:
    """The patterns, for constants with other users too if asked."""
    return generate_constant, (pad_constant if aggressive else _pad_lone_constant)
