"""Derive what a chain needs to be streamed: a correction for each reduction."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    f32,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.combiners import is_neutral
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import filled_with, reduction_of
from tilewright.ir.text import place_of
from tilewright.ir.types import element_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.algebra.corrections import (
    Correction,
    Resists,
    Streamed,
    Total,
)
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    is_same,
    running_leaves,
)
from tilewright.transforms.structured.stream.algebra.rules import correction
from tilewright.transforms.structured.stream.analysis.chain import Chain, length_of
from tilewright.transforms.structured.stream.analysis.checks import (
    check_match,
    check_starts,
)
from tilewright.transforms.structured.stream.analysis.dependences import (
    check_dependences,
    check_extents,
)
from tilewright.transforms.structured.stream.analysis.elements import expression_of
from tilewright.transforms.structured.stream.row_ops import (
    is_mean,
    loops_of,
)


def derive(user: TransformOp, chain: Chain) -> list[Streamed]:
    """The correction of every reduction; refuses what cannot be derived."""
    check_extents(user, chain)
    check_dependences(user, chain)
    summands: dict[StructuredOp, Expression] = {}
    found: list[Streamed] = []
    for op in chain.reductions:
        made = _correction(user, chain, op, summands, found)
        sums = _sums(user, chain, op, made, summands, found)
        found.append(Streamed(op, made, summands.get(op), sums))
    return found


def _correction(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    summands: dict[StructuredOp, Expression],
    found: Sequence[Streamed],
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
        check_starts(chain, op, made, found)
        check_match(chain, op, made, found)
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


def _check_init(user: TransformOp, op: StructuredOp, kind: CombiningKindFlag) -> None:
    """A corrected accumulator must begin with nothing in it."""
    value = filled_with(op)
    if value is None or not is_neutral(value, kind):
        raise user.refuse(
            f"the result of '{op.name}' does not start from the neutral element",
            op,
            "add what it starts from after the reduction",
        )


def start_value(op: StructuredOp) -> FloatAttr | IntegerAttr:
    """The neutral element that a corrected accumulator begins with."""
    value = filled_with(op)
    assert value is not None
    return value


def _check_loops(user: TransformOp, op: StructuredOp, made: Correction) -> None:
    """What corrects an accumulator must have a value for each element of it."""
    outputs = op.maps[len(op.inputs)]
    kept = {dim for expr in outputs.results for dim in expr.used_dims()}
    terms = [term for exponent in made.exponents for term in exponent.terms]
    nodes = made.other_nodes
    nodes += [e for t in terms for e in (t.node, *(scale for _, scale in t.scales))]
    for node in nodes:
        if node.has_index:
            raise user.refuse(
                f"'{op.name}' combines a running value with 'linalg.index'",
                op,
                "write the index into a tensor of its own first",
            )
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
) -> dict[int, Total]:
    """The reductions that sum up the streamed coefficients of a polynomial."""
    sums: dict[int, Total] = {}
    if made.powers is None:
        return sums
    if nest_of(op).reduced != (chain.axis[op],):
        raise user.refuse(
            f"'{op.name}' sums up a polynomial of a running value along several loops",
            op,
            "collapse the loops first",
        )
    for terms in made.powers.sums.values():
        for _, term in terms:
            if term is None:
                continue
            total = next(
                filter(None, (_total(chain, op, term, e) for e in found)), None
            )
            if total is None:
                resists = Resists(term, "no reduction of the chain sums this term up")
                raise _refusal(user, op, summands[op], resists)
            if not _is_mean_of(made.powers.base, total, length_of(chain)):
                sums[id(term)] = total
    return sums


def _total(
    chain: Chain, op: StructuredOp, term: Expression, earlier: Streamed
) -> Total | None:
    """The result of an earlier reduction, if it is the sum of a term and of no more."""
    reduction = reduction_of(earlier.op, 0)
    if (
        reduction is None
        or earlier.summand is None
        or reduction.kind != CombiningKindFlag.ADD
        or earlier.correction.rules
        or nest_of(earlier.op).reduced != (chain.axis[earlier.op],)
        or not is_neutral(filled_with(earlier.op), reduction.kind)
    ):
        return None
    loops = {chain.axis[earlier.op]: chain.axis[op]}
    if not is_same(earlier.summand, term, loops):
        return None
    output = earlier.op.maps[len(earlier.op.inputs)]
    dims = [e.position for e in output.results if isinstance(e, AffineDimExpr)]
    kept = {n for n in range(op.get_num_loops()) if n not in nest_of(op).reduced}
    if len(dims) != len(output.results) or not all(loops.get(d) in kept for d in dims):
        return None
    exprs = tuple(AffineExpr.dimension(loops[dim]) for dim in dims)
    return earlier.op.results[0], AffineMap(op.get_num_loops(), 0, exprs)


def _is_mean_of(base: Expression, total: Total, length: int | None) -> bool:
    """Whether a running value is a running sum, divided by the length of the stream."""
    while base.leaf is None and isinstance(base.op, arith.ExtFOp):
        (base,) = base.args
    if base.leaf is not None or not is_mean(base, length):
        return False
    running = base.args[0] if base.args[0].is_running else base.args[1]
    return running.leaf is not None and (running.leaf.value, running.leaf.map) == total


def count_type(needing: Sequence[Streamed]) -> AnyFloat:
    """The type for counts of elements: that of the sums, f32 at least."""
    types = [element_type(reduction.op.results[0].type) for reduction in needing]
    floats = [of for of in types if isinstance(of, AnyFloat)]
    return max((f32, *floats), key=lambda of: of.bitwidth)
