"""Products that only a sum reads: the two run as one contraction.

Vectorized contractions multiply two broadcast vectors over all loops and add up some of
them. Written out, the product of a 512-cubed matmul takes half a gigabyte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation

from tilewright.ir.dialects.vector import MultiReductionOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.contraction import contract
from tilewright.ir.interpreter.core.elementwise import distinct
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
)
from tilewright.ir.types import is_vector

MULTIPLICATIONS = ("arith.mulf", "arith.muli")


@dataclass(frozen=True)
class Product:
    """Two factors of one shape, not yet multiplied."""

    lhs: Array
    rhs: Array

    def sum_over(self, dims: Sequence[int]) -> Array:
        """The product summed over some dimensions, which keep size 1."""
        left, right = distinct(self.lhs), distinct(self.rhs)
        return contract(left, right, self.lhs.shape, dims)


def with_late_products(table: Table) -> Table:
    """The multiplications of a table, deferred where only a sum reads them."""
    return {
        cls: _late(function)
        for cls, function in table.items()
        if cls.name in MULTIPLICATIONS
    }


def _late(multiply: Semantics) -> Semantics:
    def semantics(
        interpreter: Interpreter, op: Operation, lhs: Value, rhs: Value
    ) -> Results:
        is_late = interpreter.memo.get(op)
        if is_late is None:
            is_late = interpreter.memo[op] = _is_only_summed(op)
        return (Product(lhs, rhs),) if is_late else multiply(interpreter, op, lhs, rhs)

    return semantics


def _is_only_summed(op: Operation) -> bool:
    """Whether a product is used once, by a sum that rounds no more than it would."""
    (product,) = op.results
    of = product.type
    if not is_vector(of) or not product.has_one_use():
        return False
    # A narrow float's product is rounded before it is added up.
    element = of.element_type
    if element == IntegerType(1) or not isinstance(
        element, Float32Type | Float64Type | IntegerType
    ):
        return False
    user = next(iter(product.uses)).operation
    return (
        isinstance(user, MultiReductionOp)
        and user.kind.data == CombiningKindFlag.ADD
        and user.source is product
        and bool(user.dims)
        and user.parent is op.parent
    )
