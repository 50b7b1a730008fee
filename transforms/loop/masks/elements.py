"""What is known of an element of a tensor, and the rules by which scalar ops keep it.

An element is a number, equal to an element of a carried tensor, an expression of such,
ordinary data, or unknown. *Data* is computed from the payload's inputs alone. It is
taken to be finite: `0 * data` is 0 and `data - inf` is -inf.

A fact may hold only in the *rows* of a case distinction: "where the running maximum is
finite". The rows of a fact say which dimensions of its tensor run along those of the
carried tensor that the case is about. Facts about different rows do not combine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith.choices import FLOAT_PREDICATES
from tilewright.ir.structured.combiners import IDEMPOTENT_KINDS, kind_of, neutral_of

Dims: TypeAlias = tuple[int, ...]
"""For each dimension of a carried tensor: the dimension that runs along it."""

UNIT: Final = -1
"""Stands for a dimension of extent 1: the only index is the same everywhere."""


@dataclass(frozen=True)
class Number:
    """A known number; booleans are 0 and 1."""

    value: float


@dataclass(frozen=True)
class Carried:
    """The element of a carried tensor at these dimensions."""

    position: int
    dims: Dims


@dataclass(frozen=True)
class Expression:
    """A scalar op on elements, none of which is data or unknown."""

    op: tuple[str, str]
    """The name of the op, and its properties and result type as text."""
    parts: tuple[Term, ...]


@dataclass(frozen=True)
class Data:
    """Any finite number."""


@dataclass(frozen=True)
class Unknown:
    """Anything at all."""


Term: TypeAlias = Number | Carried | Expression | Data | Unknown


@dataclass(frozen=True)
class Element:
    """What is known of an element, and the rows in which it holds; None: in all."""

    term: Term
    rows: Dims | None = None


DATA: Final = Element(Data())
UNKNOWN: Final = Element(Unknown())


def number(value: float, rows: Dims | None = None) -> Element:
    """A known number."""
    return Element(Number(value), rows)


def renamed(element: Element, by: Callable[[int], int | None]) -> Element:
    """The element of a tensor with other dimensions; unknown if one has no new name."""

    def dims(old: Dims) -> Dims | None:
        new = tuple(UNIT if dim == UNIT else by(dim) for dim in old)
        return None if None in new else new  # type: ignore[return-value]

    def term(old: Term) -> Term | None:
        match old:
            case Carried():
                new = dims(old.dims)
                return None if new is None else replace(old, dims=new)
            case Expression():
                parts = [term(part) for part in old.parts]
                if any(part is None for part in parts):
                    return None
                return replace(old, parts=tuple(part for part in parts if part))
            case _:
                return old

    new_term = term(element.term)
    new_rows = None if element.rows is None else dims(element.rows)
    if new_term is None or (new_rows is None and element.rows is not None):
        return UNKNOWN
    return Element(new_term, new_rows)


@dataclass(frozen=True)
class Rules:
    """The rules of scalar ops, in a case distinction or without one."""

    finite: int | None = None
    """The carried tensor whose element of the row is taken to be finite."""

    def apply(self, op: Operation, operands: Sequence[Element]) -> Element:
        """What is known of an op's result; the op has one result and no regions."""
        if any(isinstance(operand.term, Unknown) for operand in operands):
            return self._with_unknown(op, operands)
        rows: Dims | None = None
        for operand in operands:
            if operand.rows is not None:
                if rows is not None and rows != operand.rows:
                    return UNKNOWN
                rows = operand.rows
        terms = [operand.term for operand in operands]
        found, needed = self._result(op, terms)
        if isinstance(found, Unknown):
            return UNKNOWN
        if needed is not None:
            if rows is not None and rows != needed:
                return UNKNOWN
            rows = needed
        return Element(found, rows)

    def _with_unknown(self, op: Operation, operands: Sequence[Element]) -> Element:
        """A result that does not depend on the unknown operand."""
        if isinstance(op, arith.SelectOp) and isinstance(
            condition := operands[0].term, Number
        ):
            chosen = operands[1 if condition.value else 2]
            if operands[0].rows is None or chosen.rows in (None, operands[0].rows):
                return Element(chosen.term, operands[0].rows or chosen.rows)
        if op.results[0].type == i1 and isinstance(op, arith.AndIOp | arith.OrIOp):
            decides = Number(float(isinstance(op, arith.OrIOp)))
            return next((each for each in operands if each.term == decides), UNKNOWN)
        return UNKNOWN

    def _result(self, op: Operation, terms: Sequence[Term]) -> tuple[Term, Dims | None]:
        """The term of a result, and the rows in which it holds; None: in all."""
        match op:
            case arith.SelectOp():
                condition, yes, no = terms
                if isinstance(condition, Number):
                    return (yes if condition.value else no), None
                return (yes if yes == no else Unknown()), None
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() if (
                op.results[0].type == i1
            ):
                return _logic(op, terms), None
            case arith.SubfOp() | arith.SubiOp():
                return self._difference(op, terms)
            case arith.CmpfOp():
                return self._comparison(op, terms)
            case _:
                pass
        if (kind := kind_of(op)) is not None:
            neutral = _neutral(op)
            for this, other in (terms, terms[::-1]):
                if this == Number(neutral):
                    return other, None
            if kind in IDEMPOTENT_KINDS and terms[0] == terms[1]:
                return terms[0], None
        if isinstance(op, arith.MulfOp | arith.MuliOp) and Number(0) in terms:
            other = terms[1] if terms[0] == Number(0) else terms[0]
            return self._times_zero(other)
        if isinstance(op, arith.DivfOp) and terms[1] == Number(1):
            return terms[0], None
        return _folded(op, terms), None

    def _difference(
        self, op: Operation, terms: Sequence[Term]
    ) -> tuple[Term, Dims | None]:
        left, right = terms
        if right == Number(0):
            return left, None
        if left == right and (rows := self._finite_rows(left)) is not None:
            return Number(0), rows
        for this, infinity in ((right, left), (left, right)):
            if isinstance(infinity, Number) and math.isinf(infinity.value):
                rows = self._finite_rows(this)
                if rows is not None or this == Data():
                    sign = 1 if infinity is left else -1
                    return Number(sign * infinity.value), rows
        return _folded(op, terms), None

    def _times_zero(self, other: Term) -> tuple[Term, Dims | None]:
        if other == Data() or (
            isinstance(other, Number) and math.isfinite(other.value)
        ):
            return Number(0), None
        rows = self._finite_rows(other)
        return (Unknown(), None) if rows is None else (Number(0), rows)

    def _comparison(
        self, op: arith.CmpfOp, terms: Sequence[Term]
    ) -> tuple[Term, Dims | None]:
        """A comparison of floats: of numbers, or of a finite element and infinity."""
        predicate = FLOAT_PREDICATES[op.predicate.value.data]
        rows: Dims | None = None
        sides: list[float] = []
        for term in terms:
            if isinstance(term, Number):
                sides.append(term.value)
                continue
            if (rows := self._finite_rows(term)) is None:
                return Unknown(), None
            sides.append(0.0)  # stands for any finite number
        numbers = [term.value for term in terms if isinstance(term, Number)]
        if len(numbers) < 2 and not (numbers and math.isinf(numbers[0])):
            return Unknown(), None
        if predicate in ("ord", "true", "uno", "false"):
            return Number(float(predicate in ("ord", "true"))), rows
        holds = {
            "eq": sides[0] == sides[1],
            "ne": sides[0] != sides[1],
            "gt": sides[0] > sides[1],
            "ge": sides[0] >= sides[1],
            "lt": sides[0] < sides[1],
            "le": sides[0] <= sides[1],
        }
        name = predicate[1:] if predicate != "one" else "ne"
        return Number(float(holds[name])), rows

    def _finite_rows(self, term: Term) -> Dims | None:
        """The rows in which an expression of the case's tensor is finite."""
        match term:
            case Carried() if term.position == self.finite:
                return term.dims
            case Expression():
                rows = {self._finite_rows(p) for p in term.parts if not _is_finite(p)}
                return rows.pop() if len(rows) == 1 else None
            case _:
                return None


def _is_finite(term: Term) -> bool:
    return isinstance(term, Number) and math.isfinite(term.value)


def _logic(op: Operation, terms: Sequence[Term]) -> Term:
    """A conjunction, a disjunction or a difference of conditions."""
    for this, other in (terms, terms[::-1]):
        if not isinstance(this, Number):
            continue
        if isinstance(op, arith.XOrIOp):
            if isinstance(other, Number):
                return Number(float(this.value != other.value))
            return Unknown() if this.value else other
        decides = float(isinstance(op, arith.OrIOp))
        return this if this.value == decides else other
    return Data()


def _neutral(op: Operation) -> float:
    """The number that an op combines with any other to that other one."""
    match op:
        case arith.MaxnumfOp():
            return -math.inf  # NaN is neutral too
        case arith.MinnumfOp():
            return math.inf
        case _:
            found = neutral_of(op)
            return math.nan if found is None else float(found.value.data)


_UNARY: dict[str, Callable[[float], float | None]] = {
    "math.exp": lambda x: _exponential(x, math.exp),
    "math.exp2": lambda x: _exponential(x, math.exp2),
    "arith.negf": lambda x: -x,
    "arith.extf": lambda x: x,
    "arith.truncf": lambda x: x,
}
"""Functions of numbers; None where the result depends on the float type."""

_BINARY: dict[str, Callable[[float, float], float]] = {
    "arith.addf": lambda x, y: x + y,
    "arith.subf": lambda x, y: x - y,
    "arith.mulf": lambda x, y: x * y,
    "arith.maximumf": max,
    "arith.minimumf": min,
    "arith.maxnumf": max,
    "arith.minnumf": min,
}


def _exponential(x: float, function: Callable[[float], float]) -> float | None:
    return function(x) if x == 0 or math.isinf(x) else None


def _folded(op: Operation, terms: Sequence[Term]) -> Term:
    """The result of an op on known numbers, an expression, or data."""
    numbers = [term.value for term in terms if isinstance(term, Number)]
    if len(numbers) == len(terms):
        if op.name in _UNARY:
            return _exact(_UNARY[op.name](*numbers))
        if op.name in _BINARY:
            return _exact(_BINARY[op.name](*numbers))
    infinite = [value for value in numbers if math.isinf(value)]
    if infinite:
        is_sum = op.name == "arith.addf" and Data() in terms
        return Number(infinite[0]) if is_sum else Unknown()
    if all(isinstance(term, Number | Data) for term in terms):
        return Data()
    if Data() in terms:
        return Unknown()
    text = ", ".join(f"{name} = {value}" for name, value in op.properties.items())
    return Expression((op.name, f"{text} : {op.results[0].type}"), tuple(terms))


def _exact(value: float | None) -> Term:
    """A number that no rounding changes; other numbers are data."""
    if value is None:
        return Data()
    if math.isnan(value):
        return Unknown()
    return Number(value) if value in (0, 1, math.inf, -math.inf) else Data()
