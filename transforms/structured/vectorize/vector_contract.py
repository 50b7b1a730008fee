"""A contraction as one `vector.contract`: what `create_named_contraction` asks for.

Each operand is read in its own shape, not spread over all loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.vector import (
    CombiningKindAttr,
    CombiningKindFlag,
    ContractOp,
    ExtractOp,
    IteratorType,
    IteratorTypeAttr,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.tile.one_tile import is_reduction, maps_of
from tilewright.transforms.structured.vectorize.vector_code import (
    Plan,
    VectorCode,
    all_true,
    dims_of,
)


@dataclass(frozen=True)
class Product:
    """The two factors of a contraction, by operand, and how products are combined."""

    factors: tuple[int, int]
    kind: CombiningKindFlag


def analyze(user: TransformOp, plan: Plan) -> Product:
    """Check that the body multiplies two inputs and combines the products."""
    op = plan.op
    product = _product(plan)
    if product is None:
        raise user.refuse(
            "the body is not one sum of products of two inputs",
            op,
            "leave create_named_contraction away",
        )
    for map_ in maps_of(op):
        if not all(isinstance(expr, AffineDimExpr) for expr in map_.results):
            raise user.refuse(
                "an operand is not indexed by plain loops",
                op,
                remedy="leave create_named_contraction away",
            )
    return product


def _product(plan: Plan) -> Product | None:
    op = plan.op
    if len(op.inputs) != 2 or len(op.outputs) != 1 or plan.reductions[0] is None:
        return None
    terminator = op.body.block.last_op
    assert terminator is not None
    combiner = terminator.operands[0].owner
    assert isinstance(combiner, Operation)
    accumulator = op.body.block.args[2]
    value = next(v for v in combiner.operands if v is not accumulator)
    if not isinstance(value.owner, arith.MulfOp | arith.MuliOp):
        return None
    factors = [_input(op, side) for side in value.owner.operands]
    if sorted(f for f in factors if f is not None) != [0, 1]:
        return None
    narrow = {element_type(operand.type) for operand in op.inputs}
    if len(narrow) != 1:
        return None
    assert factors[0] is not None and factors[1] is not None
    return Product((factors[0], factors[1]), plan.reductions[0])


def _input(op: StructuredOp, factor: SSAValue) -> int | None:
    """The input a factor is, widened or as it is."""
    if isinstance(factor.owner, arith.ExtFOp | arith.ExtSIOp):
        factor = factor.owner.operands[0]
    inputs = op.body.block.args[:2]
    return next((i for i, arg in enumerate(inputs) if arg is factor), None)


def rewrite(plan: Plan, product: Product, rewriter: Rewriter) -> None:
    """Replace the op by reads, one contraction and a write."""
    op = plan.op
    code = VectorCode(plan)
    maps = maps_of(op)
    operands = [*product.factors, 2]
    lhs, rhs, start = (_read(code, op.operands[i], maps[i]) for i in operands)
    kinds = [
        IteratorType.REDUCTION if is_reduction(op, loop) else IteratorType.PARALLEL
        for loop in code.all_loops
    ]
    contract = ContractOp(
        lhs,
        rhs,
        start,
        ArrayAttr([AffineMapAttr(maps[i]) for i in operands]),
        ArrayAttr([IteratorTypeAttr(kind) for kind in kinds]),
        CombiningKindAttr(product.kind),
    )
    (total,) = code.under(code.mask(code.all_loops), contract)
    total.name_hint = op.results[0].name_hint if op.results else None
    output = op.outputs[0]
    write = TransferWriteOp(
        code.spread(total, code.shape(dims_of(maps[2]))),
        output,
        [code.zero] * len(maps[2].results),
        all_true(len(maps[2].results)),
        permutation_map=AffineMapAttr(AffineMap.identity(len(maps[2].results))),
        result_type=output.type if is_tensor(output.type) else None,
    )
    results = code.under(code.mask(dims_of(maps[2])), write)
    for new_op in code.new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *code.new.ops)
    rewriter.replace(op, list(results))


def _read(code: VectorCode, operand: SSAValue, map_: AffineMap) -> SSAValue:
    """An operand in its own shape; where it ends, zeros."""
    of = element_type(operand.type)
    rank = len(map_.results)
    read = TransferReadOp(
        operand,
        [code.zero] * rank,
        code.new.add(arith.ConstantOp(_zero(of))),
        VectorType(of, code.shape(dims_of(map_))),
        all_true(rank),
        AffineMapAttr(AffineMap.identity(rank)),
    )
    (vector,) = code.under(code.mask(dims_of(map_)), read)
    return vector if rank else code.new.add(ExtractOp(vector, []))


def _zero(of: Attribute) -> FloatAttr | IntegerAttr:
    if isinstance(of, AnyFloat):
        return FloatAttr(0.0, of)
    assert isa(of, IntegerType)
    return IntegerAttr(0, of)
