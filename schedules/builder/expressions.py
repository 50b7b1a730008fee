"""The functions of the language on numbers, conditions and the options of knobs.

A test compares their names with the tables of `syntax.py`.
"""

from __future__ import annotations

from tilewright.schedules.builder.values import (
    Arithmetic,
    Computed,
    Condition,
    Handle,
    NumberLike,
    Options,
    arithmetic,
    condition,
    need_bound,
    operand,
    reference,
)
from tilewright.schedules.language.syntax import Call, Name


class Functions:
    """The functions of the language as methods."""

    # -- numbers and conditions --------------------------------------------------

    def abs(self, a: NumberLike) -> Arithmetic:
        """A number without its sign; the same as Python's `abs`."""
        return arithmetic("abs", a)

    def min(self, a: NumberLike, b: NumberLike) -> Arithmetic:
        """The smaller number."""
        return arithmetic("min", a, b)

    def max(self, a: NumberLike, b: NumberLike) -> Arithmetic:
        """The larger number."""
        return arithmetic("max", a, b)

    def cdiv(self, a: NumberLike, b: NumberLike) -> Arithmetic:
        """A quotient, rounded up."""
        return arithmetic("cdiv", a, b)

    def ceildiv(self, a: NumberLike, b: NumberLike) -> Arithmetic:
        """A quotient, rounded up; another name of `cdiv`."""
        return arithmetic("ceildiv", a, b)

    def floordiv(self, a: NumberLike, b: NumberLike) -> Arithmetic:
        """A quotient, rounded down; the same as `a // b`."""
        return arithmetic("floordiv", a, b)

    def ite(self, test: Condition, a: NumberLike, b: NumberLike) -> Arithmetic:
        """`a` if the condition holds, else `b`."""
        return arithmetic("ite", test, a, b)

    def is_pow2(self, a: NumberLike) -> Condition:
        """The number is a power of two."""
        return condition("is_pow2", a)

    def implies(self, a: Condition, b: Condition) -> Condition:
        """`b` holds wherever `a` does."""
        return condition("implies", a, b)

    def xor(self, a: Condition, b: Condition) -> Condition:
        """Exactly one of them holds; the same as `a ^ b`."""
        return condition("xor", a, b)

    # -- numbers of the payload --------------------------------------------------

    def dim(self, op: Handle, position: int) -> Arithmetic:
        """The extent of a loop of a structured op; of a matmul: m, n and k."""
        return _measured("dim", op, position)

    def elem_bits(self, op: Handle, position: int | None = None) -> Arithmetic:
        """The bits of an element of an operand, of the first one by default."""
        return _measured("elem_bits", op, position)

    def count(self, ops: Handle) -> Arithmetic:
        """How many ops a handle has."""
        return _measured("count", ops, None)

    # -- options of knobs --------------------------------------------------------

    def pow2(self, first: NumberLike, last: NumberLike) -> Options:
        """The powers of two from `first` to `last`, both included."""
        return _options("pow2", first, last)

    def range(self, first: int, last: NumberLike, step: int = 1) -> Options:
        """The numbers from `first` to `last`, both included, `step` apart."""
        return _options("range", first, last, step)


def _measured(function: str, op: Handle, position: int | None) -> Arithmetic:
    of = reference(need_bound(op, function))
    at = () if position is None else (operand(position),)
    return Computed(Call(Name(function), (of, *at)))


def _options(function: str, *bounds: NumberLike) -> Options:
    return Options(Call(Name(function), tuple(map(operand, bounds))))
