"""Ops that compute an index, as affine maps of their operands.

`affine.apply` and the integer arithmetic that says the same are read alike, so that an
analysis needs one case for a sum, and not one for each op that can express it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap

from tilewright.ir.indexing.semi_affine import binary


class Choice(Enum):
    """Which result of its map an op computes."""

    ONLY = auto()
    LEAST = auto()
    GREATEST = auto()


@dataclass(frozen=True, slots=True)
class IndexOp:
    """A map of values, those of its dims first, and which of its results counts."""

    choice: Choice
    map: AffineMap
    operands: Sequence[SSAValue]
    is_affine: bool
    """Whether it is an op of the affine dialect, which `composition` looks through."""


_D0, _D1 = AffineExpr.dimension(0), AffineExpr.dimension(1)


def _binary_map(kind: AffineBinaryOpKind) -> AffineMap:
    return AffineMap(2, 0, (binary(kind, _D0, _D1),))


_AFFINE = {
    "affine.apply": Choice.ONLY,
    "affine.min": Choice.LEAST,
    "affine.max": Choice.GREATEST,
}

_ARITH: Mapping[str, tuple[Choice, AffineMap]] = {
    "arith.addi": (Choice.ONLY, AffineMap(2, 0, (_D0 + _D1,))),
    "arith.subi": (Choice.ONLY, AffineMap(2, 0, (_D0 - _D1,))),
    "arith.muli": (Choice.ONLY, _binary_map(AffineBinaryOpKind.Mul)),
    "arith.ceildivsi": (Choice.ONLY, _binary_map(AffineBinaryOpKind.CeilDiv)),
    "arith.floordivsi": (Choice.ONLY, _binary_map(AffineBinaryOpKind.FloorDiv)),
    "arith.index_cast": (Choice.ONLY, AffineMap.identity(1)),
    "arith.minsi": (Choice.LEAST, AffineMap.identity(2)),
    "arith.maxsi": (Choice.GREATEST, AffineMap.identity(2)),
}


def map_of(op: Operation) -> AffineMap:
    """The map of an affine op."""
    attr = op.properties["map"]
    assert isinstance(attr, AffineMapAttr)
    return attr.data


def index_op(value: SSAValue) -> IndexOp | None:
    """How an index is computed; None where no map expresses it.

    A value of a type narrower than index may have wrapped around: the map is then right
    only if it did not.
    """
    if type(value) is not OpResult:
        return None
    op = value.op
    if (choice := _AFFINE.get(op.name)) is not None:
        return IndexOp(choice, map_of(op), op.operands, is_affine=True)
    if (known := _ARITH.get(op.name)) is not None:
        return IndexOp(*known, op.operands, is_affine=False)
    return None


def depends_on(value: SSAValue, index: SSAValue) -> bool:
    """Whether a value is computed from an index."""
    return any(each is index for each in values_behind(value))


def values_behind(value: SSAValue) -> Iterator[SSAValue]:
    """A value and everything that it is computed from by operands, each once."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        yield each
        if isinstance(each.owner, Operation):
            pending += each.owner.operands
