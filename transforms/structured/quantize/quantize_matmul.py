"""`quantize_matmul`: compute a product of floats in fp8 or int8. Our own op.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<8x32xf32>, tensor<32x4xf32>)
        outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>

After `quantize_matmul %mm to i8`:
    %am = linalg.generic ... ins(%a) ... maximumf of absf -> tensor<f32>
    %as = linalg.generic ins(%am) ... max(%am / 127, 2^-126) -> tensor<f32>
    %aq = linalg.generic ins(%a, %as) ... fptosi of roundeven of %a / %as
        -> tensor<8x32xi8>
    ... %bs, %bq likewise ...
    %z = linalg.fill ins(%zero : i32) ... -> tensor<8x4xi32>
    %p = linalg.matmul ins(%aq, %bq : tensor<8x32xi8>, tensor<32x4xi8>)
        outs(%z : tensor<8x4xi32>) -> tensor<8x4xi32>
    %r = linalg.generic ins(%p, %as, %bs) outs(%c) ... %c + %p * (%as * %bs)

With `per_channel` each row of A and each column of B has its own scale: one for each
index that is not summed over. A scale that is given as a number is not measured.

The numbers change by the rounding error of the format. `--verify-each` checks the step
against that bound, and compares later steps with the rounded results.

Requires: a sum of products of two tensors of f16, bf16 or f32, named or generic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float16Type,
    Float32Type,
    FloatAttr,
    IntegerType,
    UnitAttr,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import BaseAttr, irdl_op_definition, opt_prop_def, prop_def, result_def

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import (
    ContractionOp,
    ContractOp,
    FillOp,
    GenericOp,
    StructuredOp,
)
from tilewright.ir.dialects.linalg.ops.contractions import MappedContractionOp
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import Ops, TargetOp
from tilewright.transforms.structured.new_ops import generic
from tilewright.transforms.structured.quantize import quantized_ops
from tilewright.transforms.structured.quantize.number_formats import (
    FORMATS,
    NumberFormat,
)
from tilewright.transforms.structured.quantize.quantized_ops import Scale
from tilewright.transforms.structured.quantize.rounding import RoundedProduct

SIDES = ("lhs", "rhs")
FACTORS = (Float16Type, BFloat16Type, Float32Type)


@irdl_op_definition
class QuantizeMatmulOp(TargetOp):
    """Quantize products; consumes the target.

    Returns four handles, in the order of the data: the ops that measure the scales (for
    each target and factor the largest element, then the scale; none for a given scale),
    the ops that quantize the factors (left, right), the products, the ops that scale
    them back.
    """

    name = "transform.tilewright.quantize_matmul"
    FORM: ClassVar[str] = (
        "quantize <target:handle> to <format:any> [per_channel = "
        "<per_channel:any>] [lhs_scale = <lhs_scale:any>] [rhs_scale = "
        "<rhs_scale:any>]"
    )
    SUMMARY: ClassVar[str] = "multiply in fp8 or int8 with scales, instead of in floats"

    format = prop_def(BaseAttr(TypeAttribute))
    per_channel = opt_prop_def(UnitAttr)
    lhs_scale = opt_prop_def(FloatAttr[Float32Type])
    rhs_scale = opt_prop_def(FloatAttr[Float32Type])
    scales = result_def(TransformOpHandleType)
    factors = result_def(TransformOpHandleType)
    product = result_def(TransformOpHandleType)
    scaled = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `to` $format attr-dict `:` functional-type(operands, results)"
    )

    def _given_scales(self) -> tuple[float | None, float | None]:
        return self._given(self.lhs_scale), self._given(self.rhs_scale)

    def _given(self, scale: FloatAttr[Float32Type] | None) -> float | None:
        if scale is None:
            return None
        value = scale.value.data
        if not quantized_ops.SMALLEST_SCALE <= value < math.inf:
            raise self.broken(
                f"a scale of {value:g} is not a positive number of f32",
                remedy="leave it out, and it is measured",
            )
        return value

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each product, if format and scales are possible."""
        if self.format not in FORMATS:
            raise self.broken(
                f"there is no way to quantize to {self.format}",
                remedy=f"choose one of {', '.join(str(of) for of in FORMATS)}",
            )
        self._given_scales()
        return super().plans(state)

    def analyze(self, op: Operation) -> Plan:
        """Check that `op` is a sum of products of floats, and plan it."""
        form, given = FORMATS[self.format], self._given_scales()
        if not isinstance(op, StructuredOp) or not _is_sum_of_products(op):
            raise self.refuse(
                f"'{op.name}' is not a sum of products of two factors",
                op,
                "match a linalg.matmul, batch_matmul, contract, or a generic like them",
            )
        if not all(is_tensor(operand.type) for operand in op.operands):
            raise self.refuse("the op works on buffers", op, "quantize, then bufferize")
        for what, operand in zip(("lhs", "rhs", "result"), op.operands, strict=True):
            _check_elements(self, op, what, element_type(operand.type))
        output = named_loops(op.maps[2])
        dims = [
            tuple(
                dim
                for dim, loop in enumerate(named_loops(map_))
                if self.per_channel and value is None and loop in output
            )
            for map_, value in zip(op.maps[:2], given, strict=True)
        ]
        plan = Plan(op, form, (dims[0], dims[1]), given)
        extents = [op.get_static_loop_ranges()[loop] for loop in plan.summed]
        longest = form.longest_sum
        if longest is not None and DYNAMIC_INDEX not in extents:
            if (terms := math.prod(extents)) > longest:
                raise self.refuse(
                    f"a sum of {terms} products of {form.type} may not fit "
                    f"{form.accumulator}",
                    op,
                    f"split the reduction into parts of at most {longest}",
                )
        return plan

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[Ops, ...]:
        """Compute scales, quantized factors and their product, and scale that back."""
        op, new = plan.op, OpList()
        scales: list[Scale] = []
        measuring: list[GenericOp] = []
        for side, factor, dims, value in zip(
            SIDES, op.inputs, plan.dims, plan.given, strict=True
        ):
            if value is not None:
                scales.append(Scale(value, ()))
                continue
            scale, ops = quantized_ops.measured(factor, dims, plan.form, new)
            absmax, scaling = ops
            scales.append(scale)
            measuring += [absmax, scaling]
            absmax.results[0].name_hint = f"{side}_absmax"
            scaling.results[0].name_hint = f"{side}_scale"
        factors = [
            quantized_ops.quantized(factor, scale, plan.form, new)
            for factor, scale in zip(op.inputs, scales, strict=True)
        ]
        for side, quantizer in zip(SIDES, factors, strict=True):
            quantizer.results[0].name_hint = f"{side}_quantized"
        start, adds = op.outputs[0], True
        zeros = start.owner
        if isinstance(zeros, FillOp) and _is_zero(zeros.inputs[0]):
            start, adds = zeros.outputs[0], False
        product = _product(plan, [new_op.results[0] for new_op in factors], adds, new)
        output = named_loops(op.maps[2])
        scaled = quantized_ops.dequantized(
            product.results[0],
            scales,
            [
                [output.index(named_loops(map_)[dim]) for dim in scale.dims]
                for map_, scale in zip(op.maps[:2], scales, strict=True)
            ],
            start,
            new,
            adds=adds,
        )
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, scaled.results, stands_for=product)
        return measuring, factors, product, scaled

    def set_results(self, state: TransformState, made: Sequence[Any]) -> None:
        """Set the results, and record the products that are computed in few bits."""
        super().set_results(state, made)
        for _, (lhs, rhs), product, scaled in made:
            rounded = RoundedProduct(
                lhs, rhs, product, scaled, FORMATS[self.format], self._given_scales()
            )
            state.record(rounded)


@dataclass(frozen=True)
class Plan:
    """A product, its format and its scales."""

    op: StructuredOp
    form: NumberFormat
    dims: tuple[tuple[int, ...], tuple[int, ...]]
    """For each factor: the dimensions along which scales vary."""
    given: tuple[float | None, ...]
    """For each factor: its scale, if it is not to be measured."""

    @property
    def summed(self) -> list[int]:
        """The loops that are summed over."""
        output = self.op.maps[2]
        kept = named_loops(output)
        return [loop for loop in range(output.num_dims) if loop not in kept]


def _check_elements(
    user: TransformOp, op: StructuredOp, what: str, of: Attribute
) -> None:
    if isinstance(of, FACTORS):
        return
    if isinstance(of, IntegerType):
        raise user.refuse(
            f"the {what} has elements of {of}: integers are not quantized", op
        )
    raise user.refuse(
        f"the {what} has elements of {of}", op, "it takes f16, bf16 and f32"
    )


def _is_sum_of_products(op: StructuredOp) -> bool:
    """Whether the body is `acc + lhs * rhs`, perhaps with casts, by plain loops."""
    if len(op.inputs) != 2 or len(op.outputs) != 1:
        return False
    for map_ in op.maps:
        if len(set(named_loops(map_))) != len(map_.results):
            return False
    if isinstance(op, ContractionOp):
        return True
    product = product_of(op, (arith.ExtFOp, arith.TruncFOp))
    return product is not None and product.kind == CombiningKindFlag.ADD


def _product(
    plan: Plan, factors: Sequence[SSAValue], adds: bool, new: OpList
) -> StructuredOp:
    """The same op on the quantized factors, starting from zero."""
    op = plan.op
    output = op.outputs[0]
    of = plan.form.accumulator
    if not adds and element_type(output.type) == of:
        zeros = output
    else:
        rank = len(op.maps[2].results)
        shape = [dim_size(output, dim, new) for dim in range(rank)]
        zeros = quantized_ops.filled(0.0, of, shape, new)
    if not isinstance(op, ContractionOp):

        def multiplied(body: Body) -> list[SSAValue]:
            lhs, rhs = (body.convert(factor, of) for factor in body.args[:2])
            multiply, add = (
                ("muli", "addi") if plan.form.is_integer else ("mulf", "addf")
            )
            value = body.add(f"arith.{multiply}", lhs, rhs)
            return [body.add(f"arith.{add}", body.args[2], value)]

        product = generic(factors, [zeros], op.maps, plan.summed, multiplied, new)
    else:
        product = _like(op, factors, zeros)
        new.ops.append(product)
    product.attributes |= op.attributes
    product.results[0].name_hint = "quantized_product"
    return product


def _like(
    op: ContractionOp, factors: Sequence[SSAValue], start: SSAValue
) -> ContractionOp:
    """An op of the same name and maps on other operands."""
    if isinstance(op, MappedContractionOp | ContractOp):
        return type(op)(factors, [start], op.get_indexing_maps())
    return type(op)(factors, [start])


def _is_zero(value: SSAValue) -> bool:
    owner = value.owner
    return (
        isinstance(owner, arith.ConstantOp)
        and isinstance(owner.value, FloatAttr)
        and owner.value.value.data == 0.0
    )
