"""Maxima and minima: which are finite after a tile, and which may drop NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.reductions import reduction_of
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    running_leaves,
)
from tilewright.transforms.structured.stream.chain import Chain
from tilewright.transforms.structured.stream.derive import Streamed
from tilewright.transforms.structured.stream.row_ops import loops_of


def finite_results(reductions: Sequence[Streamed]) -> frozenset[SSAValue]:
    """The maxima and minima that are numbers once a tile has been seen.

    Products of finite numbers are finite. Inputs, and infinities that the payload
    writes, may fill a whole tile with the infinity that a maximum begins with.
    """
    return frozenset(
        reduction.op.results[0]
        for reduction in reductions
        if reduction.summand is not None and _is_finite(reduction.summand)
    )


def _is_finite(e: Expression) -> bool:
    if e.constant is not None:
        return math.isfinite(e.constant)
    if e.leaf is not None:
        is_product = isinstance(e.leaf.value.owner, StructuredOp)
        return e.leaf.map is None or (e.depends != Depends.NOTHING and is_product)
    return all(map(_is_finite, e.args))


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
            and _is_only_in_exponents(reduction, chain, reductions)
        ):
            found.add(reduction.op)
    return found


def _is_only_in_exponents(
    maximum: Streamed, chain: Chain, reductions: Sequence[Streamed]
) -> bool:
    assert maximum.summand is not None
    value = maximum.op.results[0]
    seen: set[Operation] = set()
    for reduction in reductions:
        correction = reduction.correction
        if any(value in _tensors(node) for node in correction.other_nodes):
            return False
        for exponent in correction.exponents:
            if not any(value in _tensors(term.node) for term in exponent.terms):
                continue
            if correction.selects:
                return False
            if not _contains(exponent.argument, _key(maximum.summand)):
                return False
            owner = exponent.op.parent_op()
            assert owner is not None
            if not _is_read_only_by(owner, chain):
                return False
            seen.add(owner)
    readers = {use.operation for use in value.uses}
    return bool(readers) and readers <= seen


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


def _key(e: Expression) -> object:
    """Equal for expressions of two ops that compute the same, up to their loops."""
    return e.key({loop: dim for dim, loop in enumerate(loops_of(e))})


def _contains(e: Expression, key: object) -> bool:
    return _key(e) == key or any(_contains(arg, key) for arg in e.args)


def drop_nan(maximum: StructuredOp) -> None:
    """Let a maximum pass over NaN, which is cheaper."""
    block = maximum.body.block
    for old in [op for op in block.ops if isinstance(op, arith.MaximumfOp)]:
        new = arith.MaxnumfOp(old.lhs, old.rhs)
        block.insert_op_before(new, old)
        old.result.replace_all_uses_with(new.result)
        block.erase_op(old)
