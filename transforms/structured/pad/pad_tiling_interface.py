"""`structured.pad_tiling_interface`: pad the loops of a structured op.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>)
        outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>

After `pad_tiling_interface %r to padding_sizes [32, 0, 14]`:
    %p = tensor.pad %a low[0, 0] high[8, 2] { ... yield %zero } : ... tensor<32x14xf32>
    %q = tensor.pad %b low[0, 0] high[2, 0] { ... yield %zero } : ... tensor<14x25xf32>
    %s = tensor.pad %c low[0, 0] high[8, 0] { ... yield %zero } : ... tensor<32x25xf32>
    %t = linalg.matmul ins(%p, %q) outs(%s) -> tensor<32x25xf32>
    %r = tensor.extract_slice %t[0, 0] [24, 25] [1, 1] : ...

Each operand grows by what the longer loops access, that of a window too. Size 0, and a
size that is not given, leave a loop as it is. With `pad_to_multiple_of` a loop becomes
a multiple of its size.

Requires: a structured op on tensors; sizes that are not below the loop's; for a
reduction, padding values that change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.semi_affine import binary, substitute
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import sizes_for
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Sizes
from tilewright.transforms.core.target_op import Ops, PlannedOp
from tilewright.transforms.structured.new_ops import pad_high
from tilewright.transforms.structured.pad.operand_padding import (
    Number,
    output_sizes,
    padding_values,
)
from tilewright.transforms.structured.pad.padded_reductions import changed_output
from tilewright.transforms.structured.tile.one_tile import (
    is_empty,
    loop_ranges,
    slices_by_tiles,
)


@dataclass(frozen=True)
class Plan:
    """A structured op, the size for each loop (0: as it is), and what to pad with."""

    op: StructuredOp
    sizes: tuple[Extent, ...]
    to_multiple: bool
    values: tuple[Number, ...]


@irdl_op_definition
class PadTilingInterfaceOp(PlannedOp):
    """Pad loops; consumes the target, returns the padded op and the pads."""

    name = "transform.structured.pad_tiling_interface"

    target = operand_def(TransformOpHandleType)
    padding_sizes = var_operand_def()
    padding_values = prop_def(ArrayAttr, default_value=ArrayAttr[Attribute]([]))
    static_padding_sizes = opt_prop_def(DenseArrayBase.constr(i64))
    pad_to_multiple_of = opt_prop_def(UnitAttr)
    padded = result_def(TransformOpHandleType)
    pad = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Sizes,)
    assembly_format = (
        "$target `to` (`padding_sizes` custom<Sizes>($padding_sizes, "
        "$static_padding_sizes)^)? (`pad_to_multiple_of` $pad_to_multiple_of^)? "
        "attr-dict `:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The padded op stands for the target."""
        return (self.target,)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op that the target points at."""
        targets = state.payload_ops(self.target)
        static = self.static_padding_sizes or DenseArrayBase.from_list(i64, [])
        sizes = sizes_for(self, state, static, self.padding_sizes, targets)
        plans = [self._plan(op, of) for op, of in zip(targets, sizes, strict=True)]
        for plan in plans:
            if (wrong := self._wrong_values(plan)) is not None:
                state.doubt(self, wrong)
        return plans

    def _plan(self, op: Operation, sizes: Sequence[Extent]) -> Plan:
        if not isinstance(op, StructuredOp):
            raise self.refuse(f"'{op.name}' is not a structured op", op)
        if len(op.results) != len(op.outputs):
            raise self.refuse("the op works on buffers", op, "pad, then bufferize")
        if is_empty(op) or not slices_by_tiles(op):
            raise self.refuse(
                "an operand is empty, or not indexed by sums of loops", op
            )
        values = padding_values(self, op, self.padding_values.data)
        if len(values) < len(op.operands):
            raise self.refuse(
                f"there are {len(values)} padding_values for {len(op.operands)} "
                "operands",
                op,
            )
        loops = op.get_num_loops()
        whole = (*sizes, *([0] * (loops - len(sizes))))[:loops]
        return Plan(op, whole, self.pad_to_multiple_of is not None, tuple(values))

    def _wrong_values(self, plan: Plan) -> SilenceableFailure | None:
        """Refuse to shorten a loop; what is wrong with values that change a result."""
        longer: list[int] = []
        ranges = plan.op.get_static_loop_ranges()
        for loop, (extent, size) in enumerate(zip(ranges, plan.sizes, strict=True)):
            number = constant_int(size)
            if number == 0:
                continue
            if number is not None and extent != DYNAMIC_INDEX:
                if not plan.to_multiple and number < extent:
                    raise self.refuse(
                        f"loop {loop} runs {extent} times, which is more than {number}",
                        plan.op,
                    )
                if extent == number or (plan.to_multiple and extent % number == 0):
                    continue
            if is_reduction(plan.op, loop):
                longer.append(loop)
        values = dict(enumerate(plan.values))
        if longer and (result := changed_output(plan.op, longer, values)) is not None:
            return self.refuse(
                f"these padding_values would change result {result}, which is reduced "
                f"over loop {', '.join(map(str, longer))}",
                plan.op,
                "pad with what changes nothing: 0 for a sum, -inf for a maximum",
            )
        return None

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[Ops, Ops]:
        """Pad one op; the padded op, and the pads."""
        op, new = plan.op, OpList()
        ranges = loop_ranges(op, new)
        operands: list[SSAValue] = []
        pads: list[Operation] = []
        for index, operand in enumerate(op.operands):
            if not is_tensor(operand.type):
                operands.append(operand)
                continue
            pads.append(_pad(plan, index, ranges, new))
            operands.append(pads[-1].results[0])
        padded = type(op).create(
            operands=operands,
            result_types=[operand.type for operand in operands[len(op.inputs) :]],
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
            regions=[op.body.clone()],
        )
        new.ops.append(padded)
        results: list[SSAValue] = []
        for result, output in zip(padded.results, op.outputs, strict=True):
            sizes = output_sizes(op, output, ranges, new)
            zeros, ones = [0] * len(sizes), [1] * len(sizes)
            part = tensor.ExtractSliceOp(result, zeros, sizes, ones, output.type)
            results.append(new.add(part))
        for made in new.ops:
            made.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, results, stands_for=padded)
        return padded, pads


def _pad(plan: Plan, index: int, ranges: Sequence[Extent], new: OpList) -> tensor.PadOp:
    """Pad an operand to what the longer loops access: their last index, and one."""
    operand = plan.op.operands[index]
    loops, padded = _padded_loops(plan, ranges)
    shape: list[int] = []
    high: list[Extent] = []
    for dim, expr in enumerate(plan.op.maps[index].results):
        last = substitute(expr, [loop - 1 for loop in loops]) + 1
        size = evaluate(last, padded, OpList()) if _is_static(last, padded) else None
        old = dim_size(operand, dim, new)
        own = AffineExpr.dimension(len(padded))
        high.append(evaluate(last - own, [*padded, old], new))
        shape.append(size if isinstance(size, int) else DYNAMIC_INDEX)
    value = new.add(arith.ConstantOp(plan.values[index]))
    return pad_high(operand, value, high, shape, new)


def _padded_loops(
    plan: Plan, ranges: Sequence[Extent]
) -> tuple[list[AffineExpr], list[Extent]]:
    """How often each padded loop runs, as expressions of values."""
    exprs: list[AffineExpr] = []
    values: list[Extent] = []
    for extent, size in zip(ranges, plan.sizes, strict=True):
        own = AffineExpr.dimension(len(values))
        by = constant_int(size)
        if by == 0:
            values.append(extent)
        elif not plan.to_multiple:
            values.append(size)
        elif by is not None:
            values.append(extent)
            whole = binary(AffineBinaryOpKind.CeilDiv, own, AffineExpr.constant(by))
            own = whole * by
        else:
            step = AffineExpr.dimension(len(values) + 1)
            values += [extent, size]
            whole = binary(AffineBinaryOpKind.CeilDiv, own, step)
            own = binary(AffineBinaryOpKind.Mul, whole, step)
        exprs.append(own)
    return exprs, values


def _is_static(expr: AffineExpr, values: Sequence[Extent]) -> bool:
    return all(constant_int(values[dim]) is not None for dim in expr.used_dims())
