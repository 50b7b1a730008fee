"""Atoms: the values that the index expressions of a kernel are linear in.

An atom is a grid index, a loop variable, a number known at run time, a quotient, a
minimum or maximum, or an element of a tensor. It carries its range, so that a
comparison of two linear forms can be decided at compile time, and the depth of its
loop, so that a term is computed outside of deeper loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.indexing import linear

MAX_I32 = 2**31 - 1

MAX_EXTENT = 2**31 - 2**20
"""The largest extent of a size known only at run time. Indices are 32 bits wide, and
the last tile ends less than 2^20, Triton's largest tile, past the end of a buffer."""


@dataclass(frozen=True)
class Runtime:
    """A number known at run time: an extent of an argument, or an argument itself."""

    argument: SSAValue
    dim: int | None = None
    """The dimension whose extent it is; None for the argument itself."""


@dataclass(frozen=True)
class Computed:
    """A number that the launcher computes from others, such as a product of sizes."""

    expression: AffineExpr
    of: tuple[Runtime, ...]
    """The symbols of the expression."""


Given = Runtime | Computed
"""A number that is known before a kernel starts."""


@dataclass(frozen=True, order=True)
class Atom:
    """A value that index expressions are linear in."""

    ordinal: int
    low: int = field(compare=False)
    high: int = field(compare=False)
    level: int = field(compare=False)
    """Depth of the loop that defines it; 0 is outside all loops."""
    quotient: Quotient | None = field(compare=False, default=None)
    """How it is computed, if it is a quotient."""
    extremum: Extremum | None = field(compare=False, default=None)
    """How it is computed, if it is a minimum or a maximum."""
    runtime: Given | None = field(compare=False, default=None)
    """What it is, if it is a number known at run time."""
    open: bool = field(compare=False, default=False)
    """Whether its range depends on numbers known at run time."""
    is_data: bool = field(compare=False, default=False)
    """Whether it is a number that the kernel computes from elements of tensors."""

    @property
    def reads_data(self) -> bool:
        """Whether it is such a number, or computed from one."""
        parts = [] if self.extremum is None else list(self.extremum.forms)
        parts += [] if self.quotient is None else [self.quotient.dividend]
        return self.is_data or any(part.reads_data for part in parts)


class Linear(linear.Linear[Atom]):
    """A linear form of atoms, its terms in the order in which the atoms were made."""

    __slots__ = ()

    def plus(self, other: linear.Linear[Atom], factor: int = 1) -> Linear:
        """`self + other * factor`."""
        total = super().plus(other, factor)
        return Linear(dict(sorted(total.terms.items())), total.constant)

    @property
    def is_given(self) -> bool:
        """Whether it is known before the kernel starts, from run-time numbers alone."""
        return all(atom.runtime is not None for atom in self.terms)

    @property
    def is_open(self) -> bool:
        """Whether its range depends on numbers known at run time."""
        return any(atom.open for atom in self.terms)

    @property
    def reads_data(self) -> bool:
        """Whether the kernel computes it from elements of tensors."""
        return any(atom.reads_data for atom in self.terms)

    @property
    def low(self) -> int:
        """The least value it can take."""
        return self.constant + sum(
            c * (a.low if c > 0 else a.high) for a, c in self.terms.items()
        )

    @property
    def high(self) -> int:
        """The greatest value it can take."""
        return -(self * -1).low

    @property
    def fits(self) -> bool:
        """Whether 32 bits hold the value, whatever order its terms are added in."""
        if list(self.terms.values()) == [1] and not self.constant:
            return -MAX_I32 - 1 <= self.low and self.high <= MAX_I32
        return self.reaches(0)

    def reaches(self, distance: int) -> bool:
        """Whether 32 bits also hold the value plus `distance`."""
        terms = [(c * a.low, c * a.high) for a, c in self.terms.items()]
        terms += [(self.constant, self.constant), (distance, distance)]
        low = sum(min(0, *term) for term in terms)
        high = sum(max(0, *term) for term in terms)
        return -MAX_I32 <= low and high <= MAX_I32

    def at_level(self, level: int) -> Linear:
        """The terms of atoms defined at this loop depth; the constant is at 0."""
        terms = {a: c for a, c in self.terms.items() if a.level == level}
        return Linear(terms, self.constant if level == 0 else 0)

    def up_to(self, level: int) -> Linear:
        """The terms of atoms defined at this loop depth or further out."""
        terms = {a: c for a, c in self.terms.items() if a.level <= level}
        return Linear(terms, self.constant)

    @property
    def level(self) -> int:
        """The depth of the innermost loop it depends on."""
        return max((atom.level for atom in self.terms), default=0)


@dataclass(frozen=True)
class Quotient:
    """`dividend // divisor`, rounded down or up, or `dividend % divisor`.

    The dividend is never negative, because Triton's operators round towards zero, but
    `floordiv` and `mod` round down.
    """

    kind: AffineBinaryOpKind
    dividend: Linear
    divisor: int


@dataclass(frozen=True)
class Extremum:
    """The least or the greatest of some forms."""

    forms: tuple[Linear, ...]
    is_greatest: bool

    @property
    def range(self) -> tuple[int, int]:
        """The least and the greatest value it can take."""
        choose = max if self.is_greatest else min
        return choose(f.low for f in self.forms), choose(f.high for f in self.forms)
