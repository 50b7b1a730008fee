"""What an element of a chain is: an expression, with the bodies of ops put in."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.structured.bodies import is_elementwise, is_straight_line, yielded
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    Leaf,
)
from tilewright.transforms.structured.stream.analysis.chain import Chain, result_number


def expression_of(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    value: SSAValue,
    loops: AffineMap | None = None,
) -> Expression:
    """What a scalar of an op's body is, with the bodies of other ops put in.

    `loops` gives the op's loops in terms of those of the op that is asked about.
    """
    if isinstance(value, BlockArgument) and value.block is op.body.block:
        return _element(user, chain, op, value, loops)
    owner = value.owner
    if not isinstance(owner, Operation):
        return Expression(value, leaf=Leaf(value, None, Depends.NOTHING))
    if isinstance(owner, IndexOp):
        loop = owner.dim.value.data
        kind = Depends.STREAMED if loop == chain.axis.get(op) else Depends.NOTHING
        index = AffineExpr.dimension(loop) if loops is None else loops.results[loop]
        return Expression(value, leaf=Leaf(value, None, kind, index))
    if owner.parent is not op.body.block or isinstance(owner, arith.ConstantOp):
        return Expression(value, leaf=Leaf(value, None, Depends.NOTHING))
    args = (expression_of(user, chain, op, v, loops) for v in owner.operands)
    return Expression(value, tuple(args))


def _element(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    argument: BlockArgument,
    loops: AffineMap | None,
) -> Expression:
    """What an element of an operand is."""
    operand = op.operands[argument.index]
    map_ = op.maps[argument.index]
    seen = map_ if loops is None else map_.compose(loops)
    if not is_tensor(operand.type):
        return Expression(argument, leaf=Leaf(operand, None, Depends.NOTHING))
    producer = operand.owner
    is_inside = isinstance(producer, StructuredOp) and (
        producer in chain.axis or producer in chain.between
    )
    if not is_inside:
        streams = any(chain.axis.get(op) in expr.used_dims() for expr in map_.results)
        kind = Depends.STREAMED if streams else Depends.NOTHING
        return Expression(argument, leaf=Leaf(operand, seen, kind))
    assert isinstance(producer, StructuredOp)
    if chain.reduces(producer):
        return Expression(argument, leaf=Leaf(operand, seen, Depends.RUNNING))
    if not can_be_put_in(producer):
        if producer in chain.between:
            raise user.refuse(
                f"'{producer.name}' between two reductions of the chain is not "
                f"element-wise",
                producer,
                "only element-wise ops may compute a running value from another",
            )
        if _reads_running(chain, producer):
            raise user.refuse(
                f"'{producer.name}' reads a running value and is not element-wise",
                producer,
                "only element-wise ops and reductions of the chain may read one",
            )
        return Expression(argument, leaf=Leaf(operand, seen, Depends.STREAMED))
    out = producer.maps[len(producer.inputs) + result_number(operand)]
    inverse = _inverse(out)
    inner = inverse.compose(seen)
    result = yielded(producer)[result_number(operand)]
    return expression_of(user, chain, producer, result, inner)


def _reads_running(chain: Chain, op: StructuredOp) -> bool:
    """Whether a streamed op depends on running values, directly or through others."""
    return any(
        chain.is_running(operand)
        or (
            isinstance(owner := operand.owner, StructuredOp)
            and owner in chain.axis
            and _reads_running(chain, owner)
        )
        for operand in op.operands
    )


def can_be_put_in(op: StructuredOp) -> bool:
    """Whether an element of the result depends on one element of each operand."""
    outputs = op.body.block.args[len(op.inputs) :]
    return (
        is_elementwise(op)
        and is_straight_line(op.body.block)
        and not any(arg.first_use for arg in outputs)
    )


def _inverse(permutation: AffineMap) -> AffineMap:
    """The loops of an op from the position in its result."""
    results = [AffineExpr.constant(0)] * permutation.num_dims
    for dim, expr in enumerate(permutation.results):
        assert isinstance(expr, AffineDimExpr)
        results[expr.position] = AffineExpr.dimension(dim)
    return AffineMap(len(permutation.results), 0, tuple(results))
