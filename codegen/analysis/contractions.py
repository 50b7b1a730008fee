"""What the loops of a `vector.contract` do: batch, rows, columns, or reduction."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir.affine import AffineDimExpr

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import shape_of
from tilewright.ir.dialects.vector import ContractOp


@dataclass(frozen=True)
class Loops:
    """The loops of a contraction that run more than once, by what they do."""

    lhs: tuple[int, ...]
    """The loops along each dimension of the left operand's tile; so `rhs`, `acc`."""
    rhs: tuple[int, ...]
    acc: tuple[int, ...]
    sizes: dict[int, int]

    @property
    def batch(self) -> tuple[int, ...]:
        """In all three, in the accumulator's order."""
        return tuple(i for i in self.acc if i in self.lhs and i in self.rhs)

    @property
    def rows(self) -> tuple[int, ...]:
        """In the left operand and the accumulator."""
        return tuple(i for i in self.acc if i in self.lhs and i not in self.rhs)

    @property
    def columns(self) -> tuple[int, ...]:
        """In the right operand and the accumulator."""
        return tuple(i for i in self.acc if i in self.rhs and i not in self.lhs)

    @property
    def summed(self) -> tuple[int, ...]:
        """In an operand, and not in the accumulator: as the left has them first."""
        rest = (i for i in self.rhs if i not in self.lhs)
        return tuple(i for i in (*self.lhs, *rest) if i not in self.acc)

    @property
    def is_product(self) -> bool:
        """Whether it is a product of matrices, or of batches of them."""
        return bool(self.rows and self.columns and self.summed) and all(
            i in self.lhs and i in self.rhs for i in self.summed
        )

    def count(self, loops: tuple[int, ...]) -> int:
        """How often some loops run together."""
        total = 1
        for loop in loops:
            total *= self.sizes[loop]
        return total


def loops_of(op: ContractOp) -> Loops:
    """The loops of a contraction; those that run once are left out."""
    sizes: dict[int, int] = {}
    tiles: list[tuple[int, ...]] = []
    for attribute, operand in zip(op.indexing_maps, op.operands, strict=True):
        results = attribute.data.results
        if not all(isinstance(expr, AffineDimExpr) for expr in results):
            refuse(op, "an indexing map that is not a permutation of dimensions")
        loops = [expr.position for expr in results if isinstance(expr, AffineDimExpr)]
        shape = shape_of(operand.type)
        sizes |= zip(loops, shape, strict=True)
        tiles.append(tuple(loop for loop in loops if sizes[loop] != 1))
    lhs, rhs, acc = tiles
    return Loops(lhs, rhs, acc, sizes)
