"""The formulas of complex arithmetic, as calls on real and imaginary parts.

A function takes the parts of each operand; a real operand has None for the second one.
It gives the parts of the result, or None where the formula does not apply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node

aten = torch.ops.aten

Part = Any
"""A node, or a number."""
Parts = tuple[Part, Part | None]
"""Real and imaginary parts; None for the latter of a real operand."""


class Calls:
    """Calls of real arithmetic on parts; None is a zero that nobody computes."""

    def call(self, op: Any, *args: Any, **kwargs: Any) -> Node:
        """A call in the graph."""
        raise NotImplementedError

    def mul(self, x: Part | None, y: Part | None) -> Part | None:
        """A product."""
        if x is None or y is None:
            return None
        if isinstance(x, Node):
            return self.call(aten.mul.Tensor, x, y)
        return self.call(aten.mul.Tensor, y, x) if isinstance(y, Node) else x * y

    def add(self, x: Part | None, y: Part | None) -> Part | None:
        """A sum."""
        if x is None or y is None:
            return y if x is None else x
        if isinstance(x, Node):
            return self.call(aten.add.Tensor, x, y)
        return self.call(aten.add.Tensor, y, x) if isinstance(y, Node) else x + y

    def sub(self, x: Part | None, y: Part | None) -> Part | None:
        """A difference."""
        if isinstance(x, Node) and y is not None:
            return self.call(aten.sub.Tensor, x, y)
        return self.add(self.neg(y), x)

    def neg(self, x: Part | None) -> Part | None:
        """The opposite number."""
        if isinstance(x, Node):
            return self.call(aten.neg.default, x)
        return None if x is None else -x

    def pairs(self, parts: Parts) -> Node:
        """Both parts as the last dimension."""
        each = [self.call(aten.unsqueeze.default, part, -1) for part in parts]
        return self.call(aten.cat.default, each, -1)


def _product(calls: Calls, one: Parts, two: Parts) -> Parts:
    (a, b), (c, d) = one, two
    real = calls.sub(calls.mul(a, c), calls.mul(b, d))
    return real, calls.add(calls.mul(a, d), calls.mul(b, c))


def _sum(calls: Calls, one: Parts, two: Parts, alpha: float = 1) -> Parts | None:
    if alpha != 1:
        return None
    return calls.add(one[0], two[0]), calls.add(one[1], two[1])


def _difference(calls: Calls, one: Parts, two: Parts, alpha: float = 1) -> Parts | None:
    if alpha != 1:
        return None
    return calls.sub(one[0], two[0]), calls.sub(one[1], two[1])


def _quotient(calls: Calls, one: Parts, two: Parts) -> Parts | None:
    """A quotient by a real number; torch scales the operands of another."""
    (a, b), (c, d) = one, two
    if d is not None or b is None:
        return None
    return calls.call(aten.div.Tensor, a, c), calls.call(aten.div.Tensor, b, c)


def _power(calls: Calls, one: Parts, exponent: Parts) -> Parts | None:
    if exponent[0] not in (1, 2) or exponent[1]:
        return None
    return one if exponent[0] == 1 else _product(calls, one, one)


def _of_angle(calls: Calls, length: Part, angle: Part) -> Parts:
    """Numbers of a length and an angle."""
    turned = [calls.call(op, angle) for op in (aten.cos.default, aten.sin.default)]
    return calls.mul(length, turned[0]), calls.mul(length, turned[1])


def _exponential(calls: Calls, one: Parts) -> Parts:
    return _of_angle(calls, calls.call(aten.exp.default, one[0]), one[1])


def _sign(calls: Calls, one: Parts) -> Parts:
    """Numbers of length 1, and 0 for 0."""
    length = _length(calls, one)
    is_zero = calls.call(aten.eq.Scalar, length, 0)
    return _quotient(calls, one, (calls.add(length, is_zero), None)) or one


def _length(calls: Calls, one: Parts) -> Node:
    return calls.call(aten.hypot.default, *one)


def _choice(calls: Calls, condition: Parts, one: Parts, two: Parts) -> Parts | None:
    if one[1] is None or two[1] is None:
        return None
    sides = zip(one, two, strict=True)
    real, imaginary = (
        calls.call(aten.where.self, condition[0], *pair) for pair in sides
    )
    return real, imaginary


def _of_each(op: Any) -> Callable[..., Parts | None]:
    """The same op on the real and on the imaginary parts, such as a sum."""

    def made(calls: Calls, one: Parts, *rest: Any, **kwargs: Any) -> Parts | None:
        if kwargs:
            return None
        given = [value[0] if isinstance(value, tuple) else value for value in rest]
        return calls.call(op, one[0], *given), calls.call(op, one[1], *given)

    return made


COMPLEX: dict[Any, Callable[..., Parts | None]] = {
    aten.mul.Tensor: _product,
    aten.mul.Scalar: _product,
    aten.add.Tensor: _sum,
    aten.add.Scalar: _sum,
    aten.sub.Tensor: _difference,
    aten.sub.Scalar: _difference,
    aten.rsub.Scalar: lambda calls, one, two: _difference(calls, two, one),
    aten.div.Tensor: _quotient,
    aten.div.Scalar: _quotient,
    aten.pow.Tensor_Scalar: _power,
    aten.exp.default: _exponential,
    aten.neg.default: lambda calls, one: (calls.neg(one[0]), calls.neg(one[1])),
    aten.conj_physical.default: lambda calls, one: (one[0], calls.neg(one[1])),
    aten.complex.default: lambda _, real, imaginary: (real[0], imaginary[0]),
    aten.polar.default: lambda calls, x, y: _of_angle(calls, x[0], y[0]),
    aten.sgn.default: _sign,
    aten.where.self: _choice,
    **{
        op: _of_each(op)
        for op in (
            aten.cumsum.default,
            aten.mean.dim,
            aten.sum.default,
            aten.sum.dim_IntList,
        )
    },
}
"""What computes complex numbers."""
REAL: dict[Any, Callable[..., Node | None]] = {
    aten.view_as_real.default: lambda calls, one: calls.pairs(one),
    aten.abs.default: _length,
    aten.angle.default: lambda calls, one: calls.call(
        aten.atan2.default, one[1], one[0]
    ),
}
"""What computes real numbers of complex ones."""
