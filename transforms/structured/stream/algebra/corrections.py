"""What keeps an accumulator right: the result of applying the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.structured.stream.algebra.expressions import Expression

Use = tuple[Operation, int]
"""A place in a body: a scalar op, and the position of one of its operands."""


class Resists(Exception):
    """No rule covers a term; the derivation is refused."""

    def __init__(self, term: Expression, why: str):
        super().__init__(why)
        self.term = term
        self.why = why


@dataclass(frozen=True)
class Pulled:
    """A part of f that is applied once, after the loop: mul, div, add or sub."""

    how: str
    node: Expression


@dataclass(frozen=True)
class Term:
    """A running term of an exponent: -c * w(r), or with a plus."""

    node: Expression
    negative: bool
    scales: tuple[tuple[str, Expression], ...]
    """What the term is multiplied ("mul") and divided ("div") by."""


@dataclass(frozen=True)
class Exponent:
    """A factor exp(u(x) + terms) of f."""

    op: Operation
    """The op that computes the exponential: exp or exp2."""
    argument: Expression
    terms: tuple[Term, ...]
    divides: bool = False
    """Whether f is divided by it."""


@dataclass(frozen=True)
class Powers:
    """f as a polynomial in one running value."""

    base: Expression
    sums: dict[int, tuple[tuple[float, Expression | None], ...]]
    """For each power, its coefficient: numbers times streamed terms (None: times 1)."""


@dataclass(frozen=True)
class Match:
    """f is something where x == r, else neutral; r is the maximum or minimum of x."""

    streamed: Expression
    running: Expression
    takes_nan: bool = False
    """Whether it is something where x is NaN, too."""


@dataclass
class Correction:
    """What keeps one accumulator right, and the places in the bodies it is about."""

    pulled: list[Pulled] = field(default_factory=list[Pulled])
    pulled_uses: set[Use] = field(default_factory=set[Use])
    """Where the bodies of the tiles leave a part out."""
    exponents: list[Exponent] = field(default_factory=list[Exponent])
    guarded: set[Use] = field(default_factory=set[Use])
    """Where a running value is read in an exponent: infinities are kept out there."""
    selects: bool = False
    """Whether a select may hide some exponentials."""
    powers: Powers | None = None
    match: Match | None = None

    @property
    def other_nodes(self) -> list[Expression]:
        """The running values that are read outside of exponents."""
        found = [pulled.node for pulled in self.pulled]
        found += [self.powers.base] if self.powers is not None else []
        found += [self.match.running] if self.match is not None else []
        return found

    @property
    def compared_nodes(self) -> list[Expression]:
        """The running values whose change is computed, which must be numbers."""
        found = [term.node for exponent in self.exponents for term in exponent.terms]
        return found + ([self.powers.base] if self.powers is not None else [])

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules that are used, for messages."""
        found: list[str] = []
        for pulled in self.pulled:
            found.append("factor" if pulled.how in ("mul", "div") else "shift")
        found += ["exponent"] * bool(self.exponents)
        found += ["power"] * (self.powers is not None)
        found += ["match"] * (self.match is not None)
        return tuple(dict.fromkeys(found))


Total = tuple[SSAValue, AffineMap]
"""The sum of a term, and how the loops of a reduction that needs it index it."""


@dataclass(frozen=True)
class Streamed:
    """A reduction of a chain and its correction."""

    op: StructuredOp
    correction: Correction
    summand: Expression | None
    """What the reduction combines, where one op of the table does it."""
    sums: dict[int, Total]
    """The reduction that sums up each streamed term of a polynomial, by the term's id.

    A term whose mean is the running value itself has none."""
