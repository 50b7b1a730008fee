"""Index arithmetic of a grid, read off the IR as linear expressions.

Every index of the buffer level is a sum of *atoms* (grid indices, loop variables, and
what is not linear in them) times constants, or the minimum of such sums. Knowing the
range of every atom, a comparison can be decided here instead of in the kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.codegen.refusal import maker_of, refuse
from tilewright.ir.dialects import affine, arith


@dataclass(frozen=True, order=True)
class Atom:
    """A value that index expressions are linear in."""

    ordinal: int
    low: int = field(compare=False)
    high: int = field(compare=False)
    level: int = field(compare=False)
    """Depth of the loop that defines it; 0 is outside all loops."""
    quotient: Quotient | None = field(compare=False, default=None)
    """How it is computed, where it is not a loop variable."""


@dataclass(frozen=True)
class Linear:
    """Atoms times coefficients, plus a constant."""

    terms: tuple[tuple[Atom, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Linear | int) -> Linear:
        """The sum, terms merged."""
        if isinstance(other, int):
            return Linear(self.terms, self.constant + other)
        merged = dict(self.terms)
        for atom, coefficient in other.terms:
            merged[atom] = merged.get(atom, 0) + coefficient
        terms = sorted((a, c) for a, c in merged.items() if c != 0)
        return Linear(tuple(terms), self.constant + other.constant)

    def __mul__(self, factor: int) -> Linear:
        """Every coefficient times a constant."""
        if factor == 0:
            return Linear()
        terms = tuple((atom, c * factor) for atom, c in self.terms)
        return Linear(terms, self.constant * factor)

    def __sub__(self, other: Linear | int) -> Linear:
        """The difference."""
        return self + other * -1

    @property
    def is_constant(self) -> bool:
        """Whether no atom is left."""
        return not self.terms

    @property
    def low(self) -> int:
        """The least value it can take."""
        return self.constant + sum(
            c * (a.low if c > 0 else a.high) for a, c in self.terms
        )

    @property
    def high(self) -> int:
        """The greatest value it can take."""
        return -(self * -1).low

    def at_level(self, level: int) -> Linear:
        """The terms of atoms defined at this loop depth; the constant is at 0."""
        terms = tuple((a, c) for a, c in self.terms if a.level == level)
        return Linear(terms, self.constant if level == 0 else 0)

    def up_to(self, level: int) -> Linear:
        """The terms of atoms defined at this loop depth or further out."""
        terms = tuple((a, c) for a, c in self.terms if a.level <= level)
        return Linear(terms, self.constant)

    @property
    def level(self) -> int:
        """The depth of the innermost loop it depends on."""
        return max((atom.level for atom, _ in self.terms), default=0)


@dataclass(frozen=True)
class Quotient:
    """`dividend // divisor` or `dividend % divisor`, as an atom of its own.

    The dividend is never negative: Triton's operators round towards zero, `floordiv`
    and `mod` do not.
    """

    kind: AffineBinaryOpKind
    dividend: Linear
    divisor: int


class Indices:
    """Linear forms of the index values of one function."""

    def __init__(self) -> None:
        self._atoms: dict[SSAValue, Atom] = {}
        self._quotients: dict[Quotient, Atom] = {}
        self._forms: dict[SSAValue, tuple[Linear, ...]] = {}
        self._count = 0

    def define(self, value: SSAValue, low: int, high: int, level: int) -> Atom:
        """Make a grid index or a loop variable an atom, with its inclusive range."""
        atom = self._new(low, high, level)
        self._atoms[value] = atom
        return atom

    def same(self, value: SSAValue, other: SSAValue) -> None:
        """Let a grid index stand for another one."""
        self._atoms[value] = self._atoms[other]

    def linear(self, value: SSAValue) -> Linear:
        """The linear form of an index value."""
        forms = self.minima(value)
        if len(forms) > 1:
            refuse(
                maker_of(value),
                "an offset or a loop bound is a minimum",
                "only sizes may be minima",
            )
        return next(iter(forms))

    def minima(self, value: SSAValue) -> tuple[Linear, ...]:
        """The linear forms whose minimum the value is; most often just one."""
        forms = self._forms.get(value)
        if forms is None:
            forms = _pruned(self._compute(value))
            self._forms[value] = forms
        return forms

    def _new(
        self, low: int, high: int, level: int, quotient: Quotient | None = None
    ) -> Atom:
        self._count += 1
        return Atom(self._count, low, high, level, quotient)

    def _compute(self, value: SSAValue) -> list[Linear]:
        if value in self._atoms:
            return [Linear(((self._atoms[value], 1),))]
        op = value.owner
        match op:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return [Linear((), number.value.data)]
            case affine.ApplyOp() | affine.MinOp():
                operands = [self.minima(operand) for operand in op.operands]
                return [
                    form
                    for result in op.map.data.results
                    for form in self._expression(result, operands, op)
                ]
            case arith.AddiOp():
                return _sums(self.minima(op.lhs), self.minima(op.rhs))
            case arith.SubiOp():
                return _sums(self.minima(op.lhs), [self.linear(op.rhs) * -1])
            case arith.MuliOp():
                return self._product(op, op.lhs, op.rhs)
            case arith.MinSIOp() | arith.MinUIOp():
                return [*self.minima(op.lhs), *self.minima(op.rhs)]
            case arith.IndexCastOp():
                return list(self.minima(op.input))
            case _:
                pass
        refuse(
            maker_of(value),
            "an index comes from here, which code generation cannot follow",
            "indices may be constants, grid and loop indices, affine.apply, affine.min",
        )

    def _product(self, op: Operation, lhs: SSAValue, rhs: SSAValue) -> list[Linear]:
        left, right = self.linear(lhs), self.linear(rhs)
        if right.is_constant:
            return [left * right.constant]
        if left.is_constant:
            return [right * left.constant]
        refuse(op, "an index is a product of two variables", "tile statically")

    def _expression(
        self, expr: AffineExpr, operands: list[tuple[Linear, ...]], op: Operation
    ) -> Iterable[Linear]:
        match expr:
            case AffineConstantExpr():
                return [Linear((), expr.value)]
            case AffineDimExpr():
                return operands[expr.position]
            case AffineSymExpr():
                assert isinstance(op, affine.ApplyOp | affine.MinOp)
                return operands[op.map.data.num_dims + expr.position]
            case AffineBinaryOpExpr():
                left = list(self._expression(expr.lhs, operands, op))
                right = list(self._expression(expr.rhs, operands, op))
                return self._binary(expr.kind, left, right, op)
            case _:
                raise AssertionError(f"unknown affine expression {expr}")

    def _binary(
        self,
        kind: AffineBinaryOpKind,
        left: list[Linear],
        right: list[Linear],
        op: Operation,
    ) -> list[Linear]:
        if kind is AffineBinaryOpKind.Add:
            return _sums(left, right)
        if len(right) == 1 and right[0].is_constant:
            factor = right[0].constant
            if kind is AffineBinaryOpKind.Mul and (factor >= 0 or len(left) == 1):
                return [form * factor for form in left]
            if kind is not AffineBinaryOpKind.Mul and len(left) == 1 and factor > 0:
                return [self._quotient(kind, left[0], factor)]
        refuse(op, "an index expression is not linear", "tile statically")

    def _quotient(
        self, kind: AffineBinaryOpKind, dividend: Linear, divisor: int
    ) -> Linear:
        if kind is AffineBinaryOpKind.CeilDiv:
            kind, dividend = AffineBinaryOpKind.FloorDiv, dividend + (divisor - 1)
        is_mod = kind is AffineBinaryOpKind.Mod
        if dividend.is_constant:
            folded = (
                dividend.constant % divisor if is_mod else dividend.constant // divisor
            )
            return Linear((), folded)
        # A multiple of the divisor more changes a quotient by a constant, a rest not.
        turns = max(-(dividend.low // divisor), 0)
        dividend += turns * divisor
        quotient = Quotient(kind, dividend, divisor)
        atom = self._quotients.get(quotient)
        if atom is None:
            low, high = dividend.low // divisor, dividend.high // divisor
            if is_mod:
                low, high = 0, divisor - 1
            atom = self._new(low, high, dividend.level, quotient)
            self._quotients[quotient] = atom
        return Linear(((atom, 1),), 0 if is_mod else -turns)


def _sums(left: Iterable[Linear], right: Iterable[Linear]) -> list[Linear]:
    return [a + b for a, b in itertools.product(left, right)]


def _pruned(forms: Iterable[Linear]) -> tuple[Linear, ...]:
    """Leave out forms that another one never exceeds."""
    kept: list[Linear] = []
    for form in forms:
        if any((form - other).low >= 0 for other in kept):
            continue
        kept = [other for other in kept if (other - form).low < 0]
        kept.append(form)
    return tuple(kept)
