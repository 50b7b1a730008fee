"""Sizes for dynamic dimensions, so that a function can be run.

    func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x64xf32>) ...   // a matmul inside

Dimensions that an op requires to be equal get one size; dimensions that it fixes get
the fixed size. Others get small odd sizes of their own, which reveal partial tiles and
swapped dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    ShapedType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from tilewright.ir.dialects import func, scf
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.structured.equal_extents import Term, equal_shapes, equal_terms

_SIZES = (7, 5, 9, 6, 11, 3, 10, 13)


@dataclass(frozen=True)
class Picked:
    """The shape of each argument, and the numbers of those that are sizes."""

    shapes: tuple[tuple[int, ...], ...]
    numbers: dict[int, int]
    """Positions of `index` arguments that are sizes."""


def pick_sizes(function: func.FuncOp) -> Iterator[Picked]:
    """Sizes to try, the likeliest first: all different, then all the same."""
    arguments = function.body.block.args
    equations = _Equations()
    for op in function.body.walk():
        equations.read(op)
    dynamic = any(DYNAMIC_INDEX in _shape(a.type) for a in arguments)
    numbers = [a for a in arguments if isinstance(a.type, IndexType)]
    sized = [a for a in numbers if equations.knows(a)]
    tries: Sequence[Sequence[int]] = (_SIZES, (8,)) if dynamic or sized else ((8,),)
    for sizes in tries:
        solved = equations.solve(sizes)
        yield Picked(
            tuple(
                tuple(
                    solved((argument, dim)) if size == DYNAMIC_INDEX else size
                    for dim, size in enumerate(_shape(argument.type))
                )
                for argument in arguments
            ),
            {a.index: solved(a) for a in sized},
        )


class _Equations:
    """Equations between sizes: equal sizes, fixed sizes, and sums of others."""

    def __init__(self) -> None:
        self._same = DisjointSets[Term]()
        self._fixed: dict[Term, int] = {}
        """The known size of a class of equal terms, by its representative."""
        self._reach: list[tuple[Term, AffineExpr, StructuredOp]] = []
        """Dimensions that are indexed by several loops: `d0 + d1` of a window."""

    def knows(self, term: Term) -> bool:
        """Whether an op constrains a size."""
        return term in set(self._same)

    def read(self, op: Operation) -> None:
        """Collect the requirements of an op on sizes."""
        for first, second in equal_terms(op):
            self._equal(first, second)
        if isinstance(op, StructuredOp):
            for operand, map_ in zip(op.operands, op.maps, strict=True):
                for dim, expr in enumerate(map_.results):
                    if not isinstance(expr, AffineDimExpr):
                        self._reach.append(((operand, dim), expr, op))
        elif isinstance(op, scf.ForOp):
            last = op.body.block.last_op
            yielded = last.operands if last is not None else ()
            for values in zip(
                op.iter_args, op.body.block.args[1:], yielded, op.res, strict=False
            ):
                for other in values[1:]:
                    for first, second in equal_shapes(values[0], other):
                        self._equal(first, second)

    def solve(self, sizes: Sequence[int]) -> _Solution:
        """The sizes; free sizes are taken from a list in turn."""
        return _Solution(self, sizes)

    def find(self, term: Term) -> Term:
        """The representative of a class of equal terms."""
        return self._same.find(term)

    def fixed(self, term: Term) -> int | None:
        """The size that a type or a constant gives."""
        return self._fixed.get(self.find(term))

    def reached(self, term: Term) -> tuple[AffineExpr, StructuredOp] | None:
        """The expression of several loops that indexes a dimension, and its op."""
        root = self.find(term)
        for other, expr, op in self._reach:
            if self.find(other) == root:
                return expr, op
        return None

    def _equal(self, a: Term, b: Term) -> None:
        numbers = [_number(term) for term in (a, b)]
        if isinstance(a, int) or isinstance(b, int):
            # A number fixes a class but is no member: two classes may have one size.
            term, number = (b, numbers[0]) if isinstance(a, int) else (a, numbers[1])
            if not isinstance(term, int) and number is not None:
                self._fixed.setdefault(self.find(term), number)
            return
        for term, number in zip((a, b), numbers, strict=True):
            if number is not None:
                self._fixed.setdefault(self.find(term), number)
        root, other = self.find(a), self.find(b)
        if self._same.union_left(root, other):
            if (known := self._fixed.pop(other, None)) is not None:
                self._fixed.setdefault(root, known)


class _Solution:
    """Looks up sizes, and picks one if it is free."""

    def __init__(self, equations: _Equations, sizes: Sequence[int]):
        self._equations = equations
        self._sizes = sizes
        self._chosen: dict[Term, int] = {}
        self._next = count()

    def __call__(self, term: Term) -> int:
        root = self._equations.find(term)
        if (fixed := self._equations.fixed(root)) is not None:
            return fixed
        if root not in self._chosen:
            self._chosen[root] = self._choose(root)
        return self._chosen[root]

    def _choose(self, root: Term) -> int:
        reached = self._equations.reached(root)
        if reached is not None:
            expr, op = reached
            ends = [self((op, loop)) - 1 for loop in range(op.get_num_loops())]
            return expr.eval(ends, []) + 1
        return self._sizes[next(self._next) % len(self._sizes)]


def _shape(of: Attribute) -> tuple[int, ...]:
    return tuple(of.get_shape()) if isinstance(of, ShapedType) else ()


def _number(term: Term) -> int | None:
    """The number that a size is, if it is known."""
    if isinstance(term, int):
        return term
    return constant_int(term) if isinstance(term, SSAValue) else None
