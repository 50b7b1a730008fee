"""Scalar expressions: what a reduction combines, in terms of the leaves of a chain.

The summand of `sum(exp(x - m))` is `exp(sub(x, m))`. Its leaf `x` changes along the
streamed dimension, its leaf `m` is the running value of an earlier reduction. Bodies of
element-wise ops between the reductions are put in, so an expression ends at inputs, at
products, and at reductions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Flag
from functools import cached_property

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith

ORDERED_EQUAL = 1
"""The predicate of a comparison of floats: both are numbers, and equal."""


class Depends(Flag):
    """What an expression depends on."""

    NOTHING = 0
    """Constants, and values that the whole loop does not change."""
    STREAMED = 1
    """The position along the streamed dimension."""
    RUNNING = 2
    """The result of an earlier reduction of the chain."""
    BOTH = 3


@dataclass(frozen=True)
class Leaf:
    """An element of a tensor, a constant, an index, or a scalar from outside."""

    value: SSAValue
    """The tensor, or the scalar itself."""
    map: AffineMap | None
    """How the loops of the op that reads it index the tensor; None for a scalar."""
    depends: Depends
    index: AffineExpr | None = None
    """The loop whose iteration a `linalg.index` is."""


@dataclass(frozen=True, eq=False)
class Expression:
    """A scalar value: a leaf, or an op on other expressions."""

    value: SSAValue
    """The scalar in the body that it comes from."""
    args: tuple[Expression, ...] = ()
    leaf: Leaf | None = None

    @cached_property
    def depends(self) -> Depends:
        """What the value depends on."""
        if self.leaf is not None:
            return self.leaf.depends
        found = Depends.NOTHING
        for arg in self.args:
            found |= arg.depends
        return found

    @property
    def op(self) -> Operation:
        """The scalar op that computes it; not for a leaf."""
        owner = self.value.owner
        assert self.leaf is None and isinstance(owner, Operation)
        return owner

    @property
    def is_mixed(self) -> bool:
        """Whether it depends on the stream and on a running value."""
        return self.depends == Depends.BOTH

    @property
    def is_running(self) -> bool:
        """Whether it depends on running values, and not on the stream."""
        return self.depends == Depends.RUNNING

    @cached_property
    def constant(self) -> float | None:
        """The number that it is, if it is one."""
        owner = self.value.owner
        if isinstance(owner, arith.ConstantOp):
            data = getattr(getattr(owner.value, "value", None), "data", None)
            return float(data) if isinstance(data, int | float) else None
        return None

    @property
    def has_index(self) -> bool:
        """Whether it depends on the iteration of a loop by `linalg.index`."""
        if self.leaf is not None:
            return self.leaf.index is not None
        return any(arg.has_index for arg in self.args)

    def leaves(self) -> list[Leaf]:
        """The leaves that depend on something, or are elements of tensors."""
        if self.leaf is not None:
            return [] if self.leaf.map is None else [self.leaf]
        return [leaf for arg in self.args for leaf in arg.leaves()]

    def key(self, renamed: dict[int, int] | None = None) -> object:
        """Equal for expressions that compute the same from the same leaves.

        `renamed` renumbers the loops, so that expressions of two ops can be compared.
        """
        if self.leaf is None:
            op = self.op
            properties = tuple(sorted((k, str(v)) for k, v in op.properties.items()))
            args = tuple(arg.key(renamed) for arg in self.args)
            return (op.name, properties, str(self.value.type), args)
        if (number := self.constant) is not None:
            return ("constant", str(self.value.type), repr(number))
        if self.leaf.index is not None:
            return ("index", _shown((self.leaf.index,), renamed))
        if self.leaf.map is None:
            return ("value", id(self.leaf.value))
        return ("element", id(self.leaf.value), _shown(self.leaf.map.results, renamed))

    def __str__(self) -> str:
        """The expression as a reader would write it."""
        if self.leaf is not None:
            number = self.constant
            if number is not None:
                return f"{number:g}"
            return self.value.name_hint or self.leaf.value.name_hint or "x"
        name = self.op.name.partition(".")[2]
        return f"{name}({', '.join(map(str, self.args))})"

    @property
    def type(self) -> Attribute:
        """The scalar's type."""
        return self.value.type


def _shown(exprs: Sequence[AffineExpr], renamed: dict[int, int] | None) -> str:
    if renamed is None:
        return str(exprs)
    return str(
        [
            renamed.get(e.position, e.position) if isinstance(e, AffineDimExpr) else e
            for e in exprs
        ]
    )


def is_same(e: Expression, other: Expression, loops: dict[int, int]) -> bool:
    """Whether two ops compute the same, when loops of the one are loops of the other.

    `loops` has the loops of `other`'s op for those of `e`'s. Loops that it does not
    have are added as they are found.
    """
    if e.leaf is None or other.leaf is None:
        return (
            e.leaf is other.leaf
            and type(e.op) is type(other.op)
            and e.op.properties == other.op.properties
            and e.type == other.type
            and all(
                is_same(*pair, loops) for pair in zip(e.args, other.args, strict=True)
            )
        )
    if e.constant is not None or other.constant is not None:
        return e.type == other.type and repr(e.constant) == repr(other.constant)
    mine, theirs = e.leaf, other.leaf
    if mine.index is not None and theirs.index is not None:
        return _is_same_loop(mine.index, theirs.index, loops)
    if mine.value is not theirs.value:
        return False
    if mine.map is None or theirs.map is None:
        return mine.map is theirs.map
    pairs = zip(mine.map.results, theirs.map.results, strict=True)
    return all(_is_same_loop(*pair, loops) for pair in pairs)


def _is_same_loop(e: AffineExpr, other: AffineExpr, loops: dict[int, int]) -> bool:
    if isinstance(e, AffineDimExpr) and isinstance(other, AffineDimExpr):
        return loops.setdefault(e.position, other.position) == other.position
    return not e.used_dims() and e == other


def running_leaves(e: Expression) -> list[Leaf]:
    """The results of reductions that an expression reads."""
    return [leaf for leaf in e.leaves() if leaf.depends == Depends.RUNNING]


def unguarded(e: Expression) -> Expression:
    """What select(x == inf, 0, x) guards: x; anything else stays.

    Another step has guarded the value already; a correction needs it as it was.
    """
    while e.leaf is None and isinstance(e.op, arith.SelectOp):
        condition, zero, value = e.args
        if condition.leaf is not None or not isinstance(condition.op, arith.CmpfOp):
            break
        tested, bound = condition.args
        is_guard = (
            condition.op.predicate.value.data == ORDERED_EQUAL
            and bound.constant is not None
            and math.isinf(bound.constant)
            and zero.constant == 0.0
            and tested.key() == value.key()
        )
        if not is_guard:
            break
        e = value
    return e
