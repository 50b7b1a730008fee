"""Maxima and minima: which are finite after a tile, and which may drop NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects import math as math_dialect
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.reductions import filled_with, reduction_of
from tilewright.transforms.structured.stream.algebra.corrections import Streamed
from tilewright.transforms.structured.stream.algebra.expressions import (
    Expression,
    Leaf,
    is_same,
    running_leaves,
)
from tilewright.transforms.structured.stream.analysis.chain import (
    Chain,
    loops_of_reader,
)

_WITH_POLES = (
    math_dialect.LogOp,
    math_dialect.Log2Op,
    math_dialect.RsqrtOp,
    math_dialect.PowFOp,
)


def finite_results(chain: Chain, reductions: Sequence[Streamed]) -> frozenset[SSAValue]:
    """The maxima and minima that are numbers once a tile has been seen.

    Products of finite numbers are finite. Inputs, and infinities that the payload
    writes, may fill a whole tile with the infinity that a maximum begins with.
    """
    return frozenset(
        reduction.op.results[0]
        for reduction in reductions
        if reduction.summand is not None and _is_finite(reduction.summand, chain)
    )


def _is_finite(e: Expression, chain: Chain) -> bool:
    if e.constant is not None:
        return math.isfinite(e.constant)
    if e.leaf is not None:
        return e.leaf.index is not None or _is_product(e.leaf.value.owner, chain)
    divides = isinstance(e.op, arith.DivfOp) and not e.args[1].constant
    has_poles = isinstance(e.op, _WITH_POLES) or divides
    return not has_poles and all(_is_finite(arg, chain) for arg in e.args)


def _is_product(op: Operation | Block, chain: Chain) -> bool:
    """Whether an op of the chain sums up products, from a finite number on."""
    if not isinstance(op, StructuredOp) or op not in chain.axis or chain.reduces(op):
        return False
    start = filled_with(op)
    if start is None or not math.isfinite(start.value.data):
        return False
    found = reduction_of(op, 0)
    return found is not None and found.factors is not None


def relaxed_maxima(chain: Chain, reductions: Sequence[Streamed]) -> set[StructuredOp]:
    """The maxima that may drop NaN, because every sum that reads them is NaN anyway.

    A maximum of x whose only use is exp(x - m) in sums: where x is NaN, so is the sum.
    """
    found: set[StructuredOp] = set()
    for reduction in reductions:
        kind = reduction_of(reduction.op, 0)
        if (
            kind is not None
            and kind.kind == CombiningKindFlag.MAXIMUMF
            and reduction.summand is not None
            and not reduction.correction.rules
            and _is_only_in_exponents(chain, reduction, reductions)
        ):
            found.add(reduction.op)
    return found


def _is_only_in_exponents(
    chain: Chain, maximum: Streamed, reductions: Sequence[Streamed]
) -> bool:
    value = maximum.op.results[0]
    readers = {use.operation for use in value.uses}
    within: set[Operation] = set()
    for reduction in reductions:
        correction = reduction.correction
        if any(value in _tensors(node) for node in correction.other_nodes):
            return False
        for exponent in correction.exponents:
            leaves = [
                leaf
                for term in exponent.terms
                for leaf in running_leaves(term.node)
                if leaf.value is value
            ]
            if not leaves:
                continue
            if correction.selects or not all(
                _contains(exponent.argument, maximum, leaf, reduction.op, chain)
                for leaf in leaves
            ):
                return False
            owner = exponent.op.parent_op()
            assert owner is not None
            if not _is_read_only_by(owner, chain):
                return False
            within.add(owner)
    return bool(readers) and readers <= within


def _is_read_only_by(op: Operation, chain: Chain) -> bool:
    """Whether only ops of the chain read an op: its elements stay inside."""
    if isinstance(op, StructuredOp) and chain.reduces(op):
        return True
    readers = {use.operation for result in op.results for use in result.uses}
    return all(
        reader in chain.axis and _is_read_only_by(reader, chain) for reader in readers
    )


def _tensors(e: Expression) -> set[SSAValue]:
    return {leaf.value for leaf in running_leaves(e)}


def _contains(
    e: Expression, maximum: Streamed, leaf: Leaf, reader: StructuredOp, chain: Chain
) -> bool:
    """Whether an exponent has the elements that a maximum is of."""
    assert maximum.summand is not None
    loops = loops_of_reader(chain, leaf, reader)
    return is_same(maximum.summand, e, loops) or any(
        _contains(arg, maximum, leaf, reader, chain) for arg in e.args
    )


def drop_nan(maximum: StructuredOp) -> None:
    """Let a maximum pass over NaN, which is cheaper."""
    block = maximum.body.block
    for old in [op for op in block.ops if isinstance(op, arith.MaximumfOp)]:
        new = arith.MaxnumfOp(old.lhs, old.rhs)
        block.insert_op_before(new, old)
        old.result.replace_all_uses_with(new.result)
        block.erase_op(old)
