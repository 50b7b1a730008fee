"""Derive what a chain needs to be streamed: a correction for each reduction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.combiners import is_neutral
from tilewright.ir.structured.reductions import reduction_of
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.algebra.corrections import (
    Correction,
    Resists,
    Term,
)
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    running_leaves,
)
from tilewright.transforms.structured.stream.algebra.rules import EXTREMES, correction
from tilewright.transforms.structured.stream.chain import (
    Chain,
    expression_of,
    length_of,
)
from tilewright.transforms.structured.stream.row_ops import (
    is_mean,
    loops_of,
)
from tilewright.transforms.structured.stream.running import start_of


@dataclass(frozen=True)
class Streamed:
    """A reduction of a chain and its correction."""

    op: StructuredOp
    correction: Correction
    summand: Expression | None
    """What the reduction combines, where one op of the table does it."""
    sums: dict[int, SSAValue]
    """The reduction that sums up each streamed term of a polynomial, by the term's id.

    A term whose mean is the running value itself has none."""


def derive(user: TransformOp, chain: Chain) -> list[Streamed]:
    """The correction of every reduction; refuses what cannot be derived."""
    _check_extents(user, chain)
    _check_dependences(user, chain)
    summands: dict[StructuredOp, Expression] = {}
    found: list[Streamed] = []
    for op in chain.reductions:
        made = _correction(user, chain, op, summands)
        sums = _sums(user, chain, op, made, summands, found)
        found.append(Streamed(op, made, summands.get(op), sums))
    return found


def _correction(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    summands: dict[StructuredOp, Expression],
) -> Correction:
    body = op.body.block
    last = body.last_op
    assert last is not None
    reads = any(
        _of(user, chain, op, value).depends & Depends.RUNNING for value in last.operands
    )
    reduction = reduction_of(op, 0) if len(op.outputs) == 1 else None
    if reduction is None:
        if reads:
            raise user.refuse(
                f"'{op.name}' combines running values by no op of the table of "
                f"reductions",
                op,
                "use one output, combined by a sum, a maximum or a minimum",
            )
        return Correction()
    summand = _of(user, chain, op, reduction.operand)
    summands[op] = summand
    if not summand.depends & Depends.RUNNING:
        return Correction()
    try:
        made = correction(reduction.kind, summand)
        for exponent in made.exponents:
            for term in exponent.terms:
                _check_start(term)
        _check_match(made, summands)
    except Resists as resists:
        raise _refusal(user, op, summand, resists) from None
    _check_init(user, op, reduction.kind)
    _check_loops(user, op, made)
    return made


def _of(
    user: TransformOp, chain: Chain, op: StructuredOp, value: SSAValue
) -> Expression:
    return expression_of(user, chain, op, value)


def _refusal(
    user: TransformOp, op: StructuredOp, summand: Expression, resists: Resists
) -> Exception:
    leaves = running_leaves(resists.term) or running_leaves(summand)
    earlier = leaves[0].value.owner
    assert isinstance(earlier, Operation)
    place = place_of(earlier)
    line = f" (line {place.line})" if place is not None else ""
    return user.refuse(
        f"'{op.name}' depends on the result of '{earlier.name}'{line} through "
        f"{resists.term}, and no rule corrects it: {resists.why}",
        op,
        "tile the two reductions into loops of their own, or rewrite the term as a "
        "factor, a shift, or an exponential of a difference",
    )


def _check_start(term: Term) -> None:
    """A running value that begins at an infinity must make the factor 0."""
    start = start_of(term.node)
    sign = -1.0 if term.negative else 1.0
    for _, scale in term.scales:
        number = scale.constant
        if start and number is None:
            raise Resists(scale, "the sign of the factor in the exponent is not known")
        sign *= math.copysign(1.0, number or 1.0)
    if start * sign < 0:
        raise Resists(term.node, "the exponential grows without bound where it begins")


def _check_match(made: Correction, summands: dict[StructuredOp, Expression]) -> None:
    """A match is with the maximum or minimum of the very elements that are tested."""
    if made.match is None:
        return
    leaf = made.match.running.leaf
    earlier = None if leaf is None else leaf.value.owner
    if isinstance(earlier, StructuredOp) and earlier in summands:
        reduction = reduction_of(earlier, 0)
        is_extreme = reduction is not None and reduction.kind in EXTREMES
        if is_extreme and summands[earlier].key() == made.match.streamed.key():
            return
    raise Resists(
        made.match.running, "it is no maximum or minimum of what it is compared with"
    )


def _check_init(user: TransformOp, op: StructuredOp, kind: CombiningKindFlag) -> None:
    """A corrected accumulator must begin with nothing in it."""
    value = _filled_with(op)
    if value is None or not is_neutral(value, kind):
        raise user.refuse(
            f"the result of '{op.name}' does not start from the neutral element",
            op,
            "add what it starts from after the reduction",
        )


def _filled_with(op: StructuredOp) -> FloatAttr | IntegerAttr | None:
    fill = op.outputs[0].owner
    if not isinstance(fill, FillOp):
        return None
    constant = fill.inputs[0].owner
    value = constant.value if isinstance(constant, arith.ConstantOp) else None
    return value if isa(value, FloatAttr | IntegerAttr) else None


def start_value(op: StructuredOp) -> FloatAttr | IntegerAttr:
    """The neutral element that a corrected accumulator begins with."""
    value = _filled_with(op)
    assert value is not None
    return value


def _check_loops(user: TransformOp, op: StructuredOp, made: Correction) -> None:
    """What corrects an accumulator must have a value for each element of it."""
    outputs = op.maps[len(op.inputs)]
    kept = {dim for expr in outputs.results for dim in expr.used_dims()}
    nodes = made.other_nodes
    nodes += [term.node for exponent in made.exponents for term in exponent.terms]
    for node in nodes:
        if missing := set(loops_of(node)) - kept:
            raise user.refuse(
                f"'{op.name}' also reduces loop {min(missing)}, along which the "
                f"running value {node} changes",
                op,
            )


def _sums(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    made: Correction,
    summands: dict[StructuredOp, Expression],
    found: Sequence[Streamed],
) -> dict[int, SSAValue]:
    """The reductions that sum up the streamed coefficients of a polynomial."""
    sums: dict[int, SSAValue] = {}
    if made.powers is None:
        return sums
    for terms in made.powers.sums.values():
        for _, term in terms:
            if term is None:
                continue
            for earlier in found:
                reduction = reduction_of(earlier.op, 0)
                if (
                    reduction is not None
                    and reduction.kind == CombiningKindFlag.ADD
                    and not earlier.correction.rules
                    and earlier.op in summands
                    and summands[earlier.op].key() == term.key()
                ):
                    total = earlier.op.results[0]
                    if not _is_mean_of(made.powers.base, total, length_of(chain)):
                        sums[id(term)] = total
                    break
            else:
                resists = Resists(term, "no reduction of the chain sums this term up")
                raise _refusal(user, op, summands[op], resists)
    return sums


def _is_mean_of(base: Expression, total: SSAValue, length: int | None) -> bool:
    """Whether a running value is a running sum, divided by the length of the stream."""
    while base.leaf is None and isinstance(base.op, arith.ExtFOp):
        (base,) = base.args
    if base.leaf is not None or not is_mean(base, length):
        return False
    running = base.args[0] if base.args[0].is_running else base.args[1]
    return running.leaf is not None and running.leaf.value is total


def _check_extents(user: TransformOp, chain: Chain) -> None:
    """All ops must have the same extent along the dimension."""
    known: set[int] = set()
    for op, loop in chain.axis.items():
        extent = op.get_static_loop_ranges()[loop]
        if extent != DYNAMIC_INDEX:
            known.add(extent)
        if len(known) > 1:
            one, other = sorted(known)[:2]
            raise user.refuse(
                f"the dimension has {one} elements in one op and {other} in another", op
            )
    if known:
        return
    first, *others = chain.targets
    shared = set(first.dims_of_loop(chain.axis[first]))
    for op in others:
        if not shared & set(op.dims_of_loop(chain.axis[op])):
            raise user.refuse(
                "the targets read no common tensor along the dimension, and their "
                "sizes are not known",
                op,
                "stream them one by one",
            )


def _check_dependences(user: TransformOp, chain: Chain) -> None:
    """What the loop reads from outside must not need the loop's results."""
    for op in chain.ops:
        for operand, map_ in zip(op.operands, op.maps, strict=True):
            owner = operand.owner
            loop = chain.axis.get(op)
            for dim, expr in enumerate(map_.results):
                if (operand, dim) in chain.along and expr.used_dims() != {loop}:
                    if isinstance(owner, StructuredOp) and owner in chain.axis:
                        raise user.refuse(
                            f"'{op.name}' reads a result of '{owner.name}' along "
                            f"another loop than the streamed one",
                            op,
                        )
            if not isinstance(owner, Operation) or owner.parent is not chain.block:
                continue
            if owner in chain.axis or owner in chain.between:
                continue
            if _needs_chain(chain, owner):
                raise user.refuse(
                    f"'{owner.name}' stands between two ops of the chain",
                    owner,
                    "only structured ops can be streamed through",
                )


def _needs_chain(chain: Chain, op: Operation) -> bool:
    waiting, seen = [op], {op}
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner not in seen:
                if chain.reduces(owner):
                    return True
                if owner.parent is chain.block:
                    seen.add(owner)
                    waiting.append(owner)
    return False
