"""`vector.contract` becomes `kernel.dot`, where it is a product of two matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    IntegerType,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import DotOp, TransOp, element_of, shape_of
from tilewright.ir.dialects.vector import ContractOp, IteratorType
from tilewright.ir.dtypes import byte_width
from tilewright.ir.launch_attributes import launch_word

if TYPE_CHECKING:
    from tilewright.codegen.lower_kernel import KernelLowering

_MIN_EXTENT = 16
"""Tensor cores multiply 16 by 16 at the least; Triton refuses less along k."""

_NARROW = (Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type)


def lower_contract(lowering: KernelLowering, op: ContractOp) -> None:
    """Lower a contraction to a dot, transposing operands as its maps ask."""
    m, n, k = _matmul_dims(op)
    lhs, rhs = _without_extension(op)
    lhs_order, rhs_order, acc_order = (
        [expr.position for expr in attribute.data.results]  # pyright: ignore
        for attribute in op.indexing_maps
    )
    if acc_order == [m, n]:
        left = _ordered(lowering, lhs, lhs_order, (m, k))
        right = _ordered(lowering, rhs, rhs_order, (k, n))
    else:
        # The accumulator is transposed, so the product is: n x k times k x m.
        left = _ordered(lowering, rhs, rhs_order, (n, k))
        right = _ordered(lowering, lhs, lhs_order, (k, m))
    _check(op, left, right)
    precision = None
    if isinstance(element_of(left.type), Float32Type):
        precision = launch_word(lowering.grid, "triton.dot_precision")
    dot = DotOp(left, right, lowering.value(op.acc), precision)
    result = lowering.builder.add(dot, like=op, hint="acc")
    lowering.values[op.result] = result


def _matmul_dims(op: ContractOp) -> tuple[int, int, int]:
    """The loops m, n and k of a plain matrix product."""
    maps = [attribute.data for attribute in op.indexing_maps]
    dims: list[set[int]] = []
    for affine_map in maps:
        if not all(isinstance(expr, AffineDimExpr) for expr in affine_map.results):
            refuse(op, "an indexing map that is not a permutation of dimensions")
        dims.append({expr.position for expr in affine_map.results})  # pyright: ignore
    lhs, rhs, acc = dims
    reductions = {
        loop
        for loop, kind in enumerate(op.iterator_types)
        if kind.data == IteratorType.REDUCTION
    }
    is_matmul = (
        op.kind.data == CombiningKindFlag.ADD
        and len(op.iterator_types) == 3
        and len(lhs) == len(rhs) == len(acc) == 2
        and lhs & rhs == reductions
        and lhs & rhs & acc == set[int]()
    )
    if not is_matmul:
        refuse(
            op,
            "a contraction that is not the product of two matrices",
            "tile batch dimensions by 1 and drop them, and leave one reduction",
        )
    (m,), (n,), (k,) = lhs & acc, rhs & acc, lhs & rhs
    return m, n, k


def _without_extension(op: ContractOp) -> tuple[SSAValue, SSAValue]:
    """The operands before they were widened: tensor cores widen the products."""
    lhs, rhs = op.lhs.owner, op.rhs.owner
    if (
        isinstance(lhs, arith.ExtFOp)
        and isinstance(rhs, arith.ExtFOp)
        and isinstance(element_of(lhs.input.type), _NARROW)
        and element_of(lhs.input.type) == element_of(rhs.input.type)
        and isinstance(element_of(op.acc.type), Float32Type)
    ):
        return lhs.input, rhs.input
    return op.lhs, op.rhs


def _ordered(
    lowering: KernelLowering, value: SSAValue, has: list[int], wants: tuple[int, int]
) -> SSAValue:
    result = lowering.value(value)
    if tuple(has) != wants:
        hint = result.name_hint
        result = lowering.builder.add(TransOp(result, [1, 0]), hint=hint)
    return result


def _check(op: ContractOp, lhs: SSAValue, rhs: SSAValue) -> None:
    left, right = element_of(lhs.type), element_of(rhs.type)
    acc = element_of(op.acc.type)
    if left != right:
        refuse(op, f"a dot of {left} and {right}", "convert one operand first")
    if not _is_legal(left, acc):
        refuse(
            op,
            f"a dot of {left} into {acc}",
            "accumulate f16, bf16, f8 and f32 in f32, i8 in i32",
        )
    (m, k), n = shape_of(lhs.type), shape_of(rhs.type)[1]
    least_k = max(_MIN_EXTENT, 32 // byte_width(left))
    if m < _MIN_EXTENT or n < _MIN_EXTENT or k < least_k:
        refuse(
            op,
            f"a dot of {m}x{n}x{k}; Triton needs at least "
            f"{_MIN_EXTENT}x{_MIN_EXTENT}x{least_k}",
            "tile larger, or vectorize to larger sizes with masks",
        )


def _is_legal(operand: Attribute, acc: Attribute) -> bool:
    if isinstance(operand, (*_NARROW, Float32Type)):
        return isinstance(acc, Float32Type)
    return operand == IntegerType(8) and acc == IntegerType(32)
