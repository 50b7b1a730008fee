"""The roles of loops in a contraction: batch, rows, columns, summed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.vector import ContractOp, dims_of
from tilewright.ir.structured.bodies import WIDENINGS, operand_behind, yielded
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import reduction_of


@dataclass(frozen=True)
class ContractionLoops:
    """The loops of two factors and of the accumulator, in the order of their dims."""

    lhs: tuple[int, ...]
    rhs: tuple[int, ...]
    acc: tuple[int, ...]

    @property
    def batch(self) -> tuple[int, ...]:
        """In all three, in the accumulator's order."""
        return tuple(i for i in self.acc if i in self.lhs and i in self.rhs)

    @property
    def rows(self) -> tuple[int, ...]:
        """In the left factor and the accumulator."""
        return tuple(i for i in self.acc if i in self.lhs and i not in self.rhs)

    @property
    def columns(self) -> tuple[int, ...]:
        """In the right factor and the accumulator."""
        return tuple(i for i in self.acc if i in self.rhs and i not in self.lhs)

    @property
    def summed(self) -> tuple[int, ...]:
        """In a factor and not in the accumulator, in the left factor's order first."""
        rest = (i for i in self.rhs if i not in self.lhs)
        return tuple(i for i in (*self.lhs, *rest) if i not in self.acc)

    @property
    def inner(self) -> tuple[int, ...]:
        """In both factors and not in the accumulator."""
        return tuple(i for i in self.summed if i in self.lhs and i in self.rhs)

    @property
    def is_product(self) -> bool:
        """Whether it is a product of matrices, or of batches of them."""
        has_all = bool(self.rows and self.columns and self.summed)
        return has_all and self.inner == self.summed


@dataclass(frozen=True)
class VectorContraction(ContractionLoops):
    """The loops of a `vector.contract` that run more than once."""

    sizes: Mapping[int, int]

    def count(self, loops: Iterable[int]) -> int:
        """The number of iterations of some loops together."""
        return math.prod(self.sizes[loop] for loop in loops)


def vector_contraction(op: ContractOp) -> VectorContraction:
    """The loops of a `vector.contract`; those that run once are left out."""
    sizes: dict[int, int] = {}
    tiles: list[tuple[int, ...]] = []
    for map_, operand in zip(op.maps, op.operands, strict=True):
        of = operand.type
        shape = of.get_shape() if isinstance(of, VectorType) else ()
        loops = dims_of(map_)[: len(shape)]
        sizes |= zip(loops, shape, strict=True)
        tiles.append(tuple(loop for loop in loops if sizes[loop] != 1))
    lhs, rhs, acc = tiles
    return VectorContraction(lhs, rhs, acc, sizes)


@dataclass(frozen=True)
class ContractionDims:
    """The loops of a contraction of two inputs by role, each in rising order."""

    batch: list[int]
    m: list[int]
    n: list[int]
    k: list[int]


def contraction_dims(op: StructuredOp) -> ContractionDims | None:
    """The roles of the loops, as upstream infers them; None if nothing is contracted.

    Looks at maps and iterator types only: the body may compute anything.
    """
    if not all(map_.is_projected_permutation() for map_ in op.maps):
        return None
    return embedded_contraction(op)


def embedded_contraction(op: StructuredOp) -> ContractionDims | None:
    """The roles of the loops that index operands alone; other loops have no role.

    A convolution contracts its channels so.
    """
    if len(op.inputs) != 2 or len(op.outputs) != 1:
        return None
    nest = nest_of(op)
    loops = ContractionLoops(*(named_loops(map_) for map_ in op.maps))
    batch, m, n = (
        sorted(set(role) & set(nest.parallel))
        for role in (loops.batch, loops.rows, loops.columns)
    )
    k = sorted(set(loops.inner) & set(nest.reduced))
    return ContractionDims(batch, m, n, k) if k else None


@dataclass(frozen=True)
class Product:
    """A body that combines the output with a product of two inputs."""

    kind: CombiningKindFlag
    factors: tuple[int, int]
    """The operands that are multiplied."""


def product_of(
    op: StructuredOp, through: tuple[type[Operation], ...] = WIDENINGS
) -> Product | None:
    """The product of both inputs that the output is combined with, if the body is so.

    `through` lists the conversions of factors that are looked through.
    """
    if len(op.inputs) != 2 or len(op.outputs) != 1:
        return None
    reduction = reduction_of(op, 0)
    if reduction is None:
        return None
    multiply = reduction.operand.owner
    if not isinstance(multiply, arith.MulfOp | arith.MuliOp):
        return None
    left, right = (operand_behind(op, side, through) for side in multiply.operands)
    if left is None or right is None or {left, right} != {0, 1}:
        return None
    return Product(reduction.kind, (left, right))


def is_contraction(op: StructuredOp, multiply: str, add: str) -> bool:
    """Whether the body is `add(output, multiply(a, b))` by the ops of these names.

    As in upstream, any op of one operand may come between an input and the product.
    """
    if len(op.outputs) != 1 or len(op.inputs) != 2:
        return False
    total = yielded(op)[0].owner
    if not isinstance(total, Operation) or total.name != add:
        return False
    accumulator = op.body.block.args[-1]
    others = [operand for operand in total.operands if operand is not accumulator]
    if len(others) != 1:
        return False
    product = others[0].owner
    if not isinstance(product, Operation) or product.name != multiply:
        return False
    sources = {_behind_unary_ops(operand) for operand in product.operands}
    return sources == set(op.body.block.args[:2])


def _behind_unary_ops(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation) and len(value.owner.operands) == 1:
        value = value.owner.operands[0]
    return value
