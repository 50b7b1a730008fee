"""Sizes for the dimensions a function leaves open, so that it can be run at all.

    func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x64xf32>) ...   // a matmul inside

Dimensions that an op needs equal get one size, those it needs fixed that size. Others
get small odd sizes of their own: partial tiles and swapped dimensions show.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    ShapedType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from tilewright.ir.dialects import arith, func, scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp

Term: TypeAlias = Hashable
"""A size: of a dimension `(value, position)`, of a loop, or an index value itself."""

_SIZES = (7, 5, 9, 6, 11, 3, 10, 13)


@dataclass(frozen=True)
class Picked:
    """The shape of each argument, and the numbers of those that are sizes."""

    shapes: tuple[tuple[int, ...], ...]
    numbers: dict[int, int]
    """Positions of `index` arguments that say how large something is."""


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
    """Which sizes are the same, which are fixed, which follow from others."""

    def __init__(self) -> None:
        self._same: dict[Term, Term] = {}
        self._fixed: dict[Term, int] = {}
        self._reach: list[tuple[Term, AffineExpr, StructuredOp]] = []
        """Dimensions that several loops together reach: `d0 + d1` of a window."""

    def knows(self, term: Term) -> bool:
        """Whether an op said anything about a size."""
        return term in self._same

    def read(self, op: Operation) -> None:
        """What an op needs to be true of sizes."""
        if isinstance(op, StructuredOp):
            self._structured(op)
        elif isinstance(op, tensor.DimOp):
            if (dim := _number(op.index)) is not None:
                self._equal(op.result, (op.source, dim))
        elif isinstance(op, tensor.EmptyOp):
            sizes = iter(op.dynamic_sizes)
            for dim, size in enumerate(_shape(op.tensor.type)):
                if size == DYNAMIC_INDEX:
                    self._equal((op.tensor, dim), next(sizes))
        elif isinstance(op, tensor.CastOp):
            self._alike(op.source, op.dest)
        elif isinstance(op, scf.ForOp):
            last = op.body.block.last_op
            yielded = last.operands if last is not None else ()
            for values in zip(
                op.iter_args, op.body.block.args[1:], yielded, op.res, strict=False
            ):
                for other in values[1:]:
                    self._alike(values[0], other)

    def solve(self, sizes: Sequence[int]) -> _Solution:
        """The sizes, those that nothing fixes taken from a list in turn."""
        return _Solution(self, sizes)

    def find(self, term: Term) -> Term:
        """The term that stands for all that are the same."""
        while (parent := self._same.get(term, term)) != term:
            term = parent
        return term

    def fixed(self, term: Term) -> int | None:
        """The size a type or a constant says."""
        return self._fixed.get(self.find(term))

    def reached(self, term: Term) -> tuple[AffineExpr, StructuredOp] | None:
        """What loops reach along a dimension, where it is more than one of them."""
        root = self.find(term)
        for other, expr, op in self._reach:
            if self.find(other) == root:
                return expr, op
        return None

    def _structured(self, op: StructuredOp) -> None:
        for operand, map_ in zip(op.operands, op.maps, strict=True):
            for dim, expr in enumerate(map_.results):
                if isinstance(expr, AffineDimExpr):
                    self._equal((operand, dim), (op, expr.position))
                else:
                    self._reach.append(((operand, dim), expr, op))
                self._note((operand, dim), operand.type)
        for out, result in zip(op.outputs, op.results, strict=False):
            self._alike(out, result)

    def _alike(self, a: SSAValue, b: SSAValue) -> None:
        for dim in range(len(_shape(a.type))):
            self._equal((a, dim), (b, dim))
            self._note((a, dim), a.type)
            self._note((b, dim), b.type)

    def _note(self, term: tuple[SSAValue, int], of: Attribute) -> None:
        if (size := _shape(of)[term[1]]) != DYNAMIC_INDEX:
            self._fixed.setdefault(self.find(term), size)

    def _equal(self, a: Term, b: Term) -> None:
        for term in (a, b):
            self._same.setdefault(term, term)
            if (number := _number(term)) is not None:
                self._fixed.setdefault(self.find(term), number)
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        self._same[b] = a
        if (known := self._fixed.pop(b, None)) is not None:
            self._fixed.setdefault(a, known)


class _Solution:
    """Looks sizes up, and picks one where nothing says it."""

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
    """The number an index value is, where it is a constant."""
    owner = term.owner if isinstance(term, SSAValue) else None
    value = owner.value if isinstance(owner, arith.ConstantOp) else None
    return value.value.data if isinstance(value, IntegerAttr) else None
