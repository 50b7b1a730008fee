"""What happens to running values in the bodies of tiles and chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.ir.dialects.linalg import StructuredOp, YieldOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.algebra.corrections import Streamed, Use
from tilewright.transforms.structured.stream.algebra.expressions import (
    Expression,
    unguarded,
)
from tilewright.transforms.structured.stream.analysis.chain import Chain
from tilewright.transforms.structured.stream.analysis.elements import expression_of
from tilewright.transforms.structured.stream.row_ops import Placed, State
from tilewright.transforms.structured.stream.writing.running import Running


@dataclass(frozen=True)
class Edit:
    """A running value in the body of a tile is read from a tensor, or left out.

    None leaves out the op that uses it: its other operand takes its place.
    """

    reads: Callable[[], Placed] | None


def edits_for(
    user: TransformOp,
    chain: Chain,
    reduction: Streamed,
    running: Running,
    state: State,
) -> dict[Use, Edit]:
    """What happens to each running value in the bodies that a reduction reads."""
    found: dict[Use, Edit] = {}
    correction = reduction.correction
    for op in cone(chain, reduction.op):
        for use, e in running_uses(user, chain, op):
            if use in correction.pulled_uses:
                found[use] = Edit(None)
                continue
            mean = correction.powers is not None
            guard = use in correction.guarded or mean
            e = unguarded(e) if guard else e

            def reads(
                e: Expression = e, guard: bool = guard, mean: bool = mean
            ) -> Placed:
                return running.placed(e, state, guard=guard, mean=mean)

            found[use] = Edit(reads)
    return found


def cone(chain: Chain, op: StructuredOp) -> list[StructuredOp]:
    """A reduction and the streamed ops that it reads from, however far back."""
    found = [op]
    for known in found:
        for operand in known.operands:
            producer = operand.owner
            if (
                isinstance(producer, StructuredOp)
                and producer in chain.axis
                and not chain.reduces(producer)
                and producer not in found
            ):
                found.append(producer)
    return found


def running_uses(
    user: TransformOp, chain: Chain, op: StructuredOp
) -> list[tuple[Use, Expression]]:
    """Where a body uses running values, each as far up as it only depends on them."""
    found: list[tuple[Use, Expression]] = []
    if not any(chain.is_running(operand) for operand in op.inputs):
        return found
    for scalar in op.body.block.ops:
        is_last = isinstance(scalar, YieldOp)
        if not is_last and all(
            expression_of(user, chain, op, result).is_running
            for result in scalar.results
        ):
            continue
        for position, operand in enumerate(scalar.operands):
            e = expression_of(user, chain, op, operand)
            if e.is_running:
                found.append(((scalar, position), e))
    return found
