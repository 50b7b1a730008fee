"""Find the ops that a streamed dimension runs through, back from the targets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.loops import is_reduction
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.analysis.chain import (
    Chain,
    reads_across,
    result_number,
)
from tilewright.transforms.structured.stream.analysis.elements import (
    can_be_put_in,
    expression_of,
)


def find_chain(
    user: TransformOp,
    targets: Sequence[StructuredOp],
    loops: Sequence[int],
    within: Collection[StructuredOp] | None = None,
) -> Chain:
    """The chain that ends at reductions along the given loop of each.

    With `within`, of these ops alone; all others count as computed before.
    """
    left_out: frozenset[StructuredOp] = frozenset()
    while True:
        chain = Chain(tuple(targets), within=within, left_out=left_out)
        for op, loop in zip(targets, loops, strict=True):
            _add(user, chain, op, loop)
        while _grow(user, chain):
            pass
        chain.between = _between(chain)
        if (op := _needed_whole(chain)) is None:
            break
        left_out |= {op}
    for op in chain.ops:
        if op in chain.axis and not chain.reduces(op) and can_be_put_in(op):
            for result, value in zip(op.results, yielded(op), strict=True):
                if expression_of(user, chain, op, value).is_running:
                    chain.repeated.add(result)
    return chain


def _needed_whole(chain: Chain) -> StructuredOp | None:
    """A streamed op whose result is also read across the stream, as in x x^T."""
    for op in chain.ops:
        for operand, map_ in zip(op.inputs, op.maps, strict=False):
            owner = operand.owner
            if (
                reads_across(chain, op, operand, map_)
                and isinstance(owner, StructuredOp)
                and not chain.reduces(owner)
                and not _depends_on_reduction(chain, owner)
            ):
                return owner
    return None


def _add(user: TransformOp, chain: Chain, op: StructuredOp, loop: int) -> None:
    known = chain.axis.setdefault(op, loop)
    if known != loop:
        raise user.refuse(
            f"loops {known} and {loop} of '{op.name}' both run along the dimension", op
        )
    # What a result starts from is not followed: the tile gets a start of its own.
    pairs = [*zip(op.inputs, op.maps, strict=False)]
    pairs += zip(op.results, op.maps[len(op.inputs) :], strict=True)
    for value, map_ in pairs:
        for dim, expr in enumerate(map_.results):
            if loop not in expr.used_dims():
                continue
            if not isinstance(expr, AffineDimExpr):
                raise user.refuse(
                    f"'{op.name}' reads a window along the dimension: {expr}",
                    op,
                    "stream a dimension that every operand is indexed by alone",
                )
            chain.along.add((value, dim))


def _grow(user: TransformOp, chain: Chain) -> bool:
    """Add the producers that the chain reads along the dimension; False at the end."""
    for value, dim in list(chain.along):
        op = value.owner
        if not chain.is_local(op) or op in chain.axis:
            continue
        map_ = op.maps[len(op.inputs) + result_number(value)]
        expr = map_.results[dim]
        if not isinstance(expr, AffineDimExpr):
            raise user.refuse(f"'{op.name}' does not index its result by loops", op)
        _add(user, chain, op, expr.position)
        return True
    for op in _producers(chain):
        if op in chain.axis:
            continue
        for operand, map_ in zip(op.inputs, op.maps, strict=False):
            for dim, expr in enumerate(map_.results):
                if (
                    isinstance(expr, AffineDimExpr)
                    and is_reduction(op, expr.position)
                    and _leads_to(chain, operand, dim)
                ):
                    _add(user, chain, op, expr.position)
                    return True
    return False


def _leads_to(chain: Chain, value: SSAValue, dim: int) -> bool:
    """Whether a dimension of a tensor is the streamed one, as far back as one sees."""
    if (value, dim) in chain.along:
        return True
    op = value.owner
    if not chain.is_local(op) or op in chain.axis:
        return False
    expr = op.maps[len(op.inputs) + result_number(value)].results[dim]
    return isinstance(expr, AffineDimExpr) and any(
        _leads_to(chain, operand, position)
        for operand, position in op.dims_of_loop(expr.position)
        if operand is not value
    )


def _producers(chain: Chain) -> Iterator[StructuredOp]:
    """The structured ops of the block that the chain reads from, however far back."""
    seen: set[Operation] = set()
    waiting: list[Operation] = list(chain.axis)
    while waiting:
        op = waiting.pop()
        for operand in op.operands:
            owner = operand.owner
            if chain.is_local(owner) and owner not in seen:
                seen.add(owner)
                waiting.append(owner)
                yield owner


def _between(chain: Chain) -> set[StructuredOp]:
    """The ops without the dimension on a way from a reduction to an op of the chain."""
    found: set[StructuredOp] = set()
    for op in reversed(list(_in_order(chain))):
        if op in chain.axis:
            continue
        is_read = any(
            use.operation in chain.axis or use.operation in found
            for result in op.results
            for use in result.uses
        )
        if is_read and _depends_on_reduction(chain, op):
            found.add(op)
    return found


def _in_order(chain: Chain) -> Iterator[StructuredOp]:
    for op in chain.block.ops:
        if chain.is_local(op):
            yield op


def _depends_on_reduction(chain: Chain, op: StructuredOp) -> bool:
    waiting: list[Operation] = [op]
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent is chain.block:
                if chain.reduces(owner):
                    return True
                waiting.append(owner)
    return False
