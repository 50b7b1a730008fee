"""Vectorize a contraction as one `vector.contract` (`create_named_contraction`).

Each operand is read in its own shape, not broadcast over all loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import (
    CombiningKindAttr,
    ContractOp,
    CreateMaskOp,
    ExtractOp,
    IteratorType,
    IteratorTypeAttr,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.structured.contractions import Product, product_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.vectorize.vectorize_structured import (
    Plan,
    VectorCode,
    all_true,
)


def analyze(user: TransformOp, plan: Plan) -> Product:
    """Check that the body multiplies two inputs and combines the products."""
    op = plan.op
    product = product_of(op)
    element_types = {element_type(operand.type) for operand in op.inputs}
    if product is None or plan.reductions[0] is None or len(element_types) != 1:
        raise user.refuse(
            "the body is not one sum of products of two inputs",
            op,
            "leave create_named_contraction away",
        )
    loops = {loop for map_ in op.maps[:2] for loop in named_loops(map_)}
    if len(loops) != len(plan.vector_sizes):
        raise user.refuse(
            "a loop runs along neither factor",
            op,
            "leave create_named_contraction away",
        )
    for map_ in op.maps:
        if len(named_loops(map_)) != len(map_.results):
            raise user.refuse(
                "an operand is not indexed by plain loops",
                op,
                remedy="leave create_named_contraction away",
            )
    return product


def rewrite(plan: Plan, product: Product, rewriter: Rewriter) -> None:
    """Replace the op by reads, one contraction and a write."""
    op = plan.op
    code = VectorCode(plan)
    maps = op.maps
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
        code.spread(total, code.shape(named_loops(maps[2]))),
        output,
        [code.zero] * len(maps[2].results),
        all_true(len(maps[2].results)),
        permutation_map=AffineMapAttr(AffineMap.identity(len(maps[2].results))),
        result_type=output.type if is_tensor(output.type) else None,
    )
    results = code.under(_own_mask(code, output, maps[2]), write)
    for new_op in code.new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *code.new.ops)
    rewriter.replace(op, list(results))


def _read(code: VectorCode, operand: SSAValue, map_: AffineMap) -> SSAValue:
    """Read an operand in its own shape, with zeros past its end."""
    of = element_type(operand.type)
    rank = len(map_.results)
    read = TransferReadOp(
        operand,
        [code.zero] * rank,
        code.new.add(arith.ConstantOp(_zero(of))),
        VectorType(of, code.shape(named_loops(map_))),
        all_true(rank),
        AffineMapAttr(AffineMap.identity(rank)),
    )
    (vector,) = code.under(_own_mask(code, operand, map_), read)
    return vector if rank else code.new.add(ExtractOp(vector, []))


def _own_mask(code: VectorCode, operand: SSAValue, map_: AffineMap) -> SSAValue | None:
    """A mask of an operand's own extents, as far as the loops have masks."""
    loops = named_loops(map_)
    if all(code.ranges[loop] == code.plan.vector_sizes[loop] for loop in loops):
        return None
    extents = [dim_size(operand, dim, code.new) for dim in range(len(loops))]
    sizes: list[Operation | SSAValue] = [code.new.index(extent) for extent in extents]
    kind = VectorType(i1, code.shape(loops))
    return code.new.add(CreateMaskOp(sizes, kind))


def _zero(of: Attribute) -> FloatAttr | IntegerAttr:
    if isinstance(of, AnyFloat):
        return FloatAttr(0.0, of)
    assert isa(of, IntegerType)
    return IntegerAttr(0, of)
