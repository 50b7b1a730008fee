"""`tensor.make_loop_independent`, `memref.make_loop_independent`: sizes without loops.

Before:
    scf.for %i = %c0 to %n step %c8 {
      %s = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
      %e = tensor.empty(%s) : tensor<?xf32>

After:
    scf.for %i = %c0 to %n step %c8 {
      %s = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
      %b = tensor.empty() : tensor<8xf32>
      %e = tensor.extract_slice %b[0] [%s] [1] : tensor<8xf32> to tensor<?xf32>

Sizes that depend on the indices of the `num_loops` loops around the op are replaced by
the largest that they can be. So the new op can be hoisted.

Requires: `tensor.empty`, `tensor.pad` with one value as padding, or `memref.alloca`,
and sizes that the loops' bounds limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import memref, scf, tensor
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.indexing.index_ops import depends_on
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import PROVEN, Form, linear_of
from tilewright.ir.types import buffer_type, tensor_type
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.patterns.tensor.pads import constant_padding
from tilewright.transforms.cleanup.shapes import Slice, numbers_in
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.memref.retyping import retype_uses


@dataclass(frozen=True)
class Plan:
    """An op, and for each of its sizes what replaces it: a number or a linear form."""

    op: Operation
    sizes: tuple[Extent, ...]
    bounds: tuple[Form, ...]

    @property
    def is_done(self) -> bool:
        """Whether no size depends on the loops."""
        pairs = zip(self.sizes, self.bounds, strict=True)
        return all(bound == _as_form(size) for size, bound in pairs)


def _as_form(size: Extent) -> Form:
    return Linear({}, size) if isinstance(size, int) else Linear({size: 1})


class _IndependentOp(TargetOp):
    """The base of both ops: consumes the target, returns the slices."""

    def sizes_of(self, op: Operation) -> Sequence[Extent] | None:
        """The sizes of a supported op; None for others."""
        raise NotImplementedError

    def analyze(self, op: Operation) -> Plan:
        """Find the loops, and a bound for each size."""
        attribute = self.properties["num_loops"]
        assert isinstance(attribute, IntegerAttr)
        indices = self._indices(op, attribute.value.data)
        sizes = self.sizes_of(op)
        if sizes is None:
            raise self.refuse(f"'{op.name}' is not supported", op)
        bounds = [self._bound(op, size, indices) for size in sizes]
        return Plan(op, tuple(sizes), tuple(bounds))

    def _indices(self, op: Operation, count: int) -> list[SSAValue]:
        found: list[SSAValue] = []
        around = op.parent_op()
        while len(found) < count and around is not None:
            if isinstance(around, scf.ForOp):
                found.append(around.body.block.args[0])
            around = around.parent_op()
        if len(found) < count:
            raise self.refuse(f"only {len(found)} loops are around the op", op)
        return found

    def _bound(self, op: Operation, size: Extent, indices: Sequence[SSAValue]) -> Form:
        def may_stay(value: SSAValue) -> bool:
            return not any(depends_on(value, index) for index in indices)

        if isinstance(size, int) or may_stay(size):
            return _as_form(size)
        form = linear_of(size)
        bound = PROVEN.upper_form(form, may_stay)
        if bound is None:
            raise self.refuse("a size has no bound that no loop changes", op)
        # Upstream has the values that were there before those that were put in.
        terms = sorted(bound.terms.items(), key=lambda term: term[0] not in form.terms)
        return Linear(dict(terms), bound.constant)


def _computed(form: Form, new: OpList) -> Extent:
    """A linear form as a number or a value."""
    total: AffineExpr = AffineExpr.constant(form.constant)
    for dim, factor in reversed(list(enumerate(form.terms.values()))):
        total = AffineExpr.dimension(dim) * factor + total
    return _applied(total, list(form.terms), new)


def _applied(expr: AffineExpr, values: Sequence[Extent], new: OpList) -> Extent:
    value, ops = applied(expr, values)
    new.ops += ops
    return value


@irdl_op_definition
class MakeTensorLoopIndependentOp(_IndependentOp):
    """Make tensors of sizes that no loop changes."""

    name = "transform.tensor.make_loop_independent"

    num_loops = prop_def(IntegerAttr.constr(i64))
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def sizes_of(self, op: Operation) -> Sequence[Extent] | None:
        """The sizes of an empty tensor, or the padding before and after."""
        if isinstance(op, tensor.EmptyOp):
            return _with_static(tensor_type(op.tensor).get_shape(), op.dynamic_sizes)
        if isinstance(op, tensor.PadOp) and constant_padding(op) is not None:
            return [*mixed(op.static_low, op.low), *mixed(op.static_high, op.high)]
        return None

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Put a slice of a larger tensor in the place of the op."""
        if plan.is_done:
            return plan.op
        new = OpList()
        sizes = [_computed(bound, new) for bound in plan.bounds]
        if isinstance(plan.op, tensor.PadOp):
            part = _padded(plan.op, sizes, new)
        else:
            kind = tensor_type(plan.op.results[0])
            dynamic = [size for size in sizes if isinstance(size, SSAValue)]
            larger = TensorType(kind.element_type, numbers_in(sizes))
            whole = new.add(tensor.EmptyOp(dynamic, larger))
            part = _first(whole, plan.sizes, kind)
        new.add(part)
        rewriter.insert_before(plan.op, *new.ops)
        rewriter.replace(plan.op, part.results)
        return part


def _with_static(shape: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Extent]:
    values = iter(dynamic)
    return [size if size >= 0 else next(values) for size in shape]


def _first(
    whole: SSAValue, sizes: Sequence[Extent], kind: TensorType
) -> tensor.ExtractSliceOp:
    zeros, ones = [0] * len(sizes), [1] * len(sizes)
    return tensor.ExtractSliceOp(whole, zeros, sizes, ones, kind)


def _padded(
    op: tensor.PadOp, padding: Sequence[Extent], new: OpList
) -> tensor.ExtractSliceOp:
    """The part of a tensor with more padding that the old one was."""
    rank = len(padding) // 2
    low, high = padding[:rank], padding[rank:]
    old_low, old_high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    kind = tensor_type(op.result)
    is_open = [
        isinstance(before, SSAValue) or isinstance(after, SSAValue)
        for before, after in zip(old_low, old_high, strict=True)
    ]
    shape = [
        DYNAMIC_INDEX if is_changed else size
        for is_changed, size in zip(is_open, kind.get_shape(), strict=True)
    ]
    larger = tensor.PadOp(
        op.source,
        low,
        high,
        op.region.clone(),
        TensorType(kind.element_type, shape),
        nofold=op.nofold is not None,
    )
    whole = new.add(larger)
    total = sum((AffineExpr.dimension(d) for d in (1, 2)), AffineExpr.dimension(0))
    sizes: list[Extent] = []
    for dim, static in enumerate(kind.get_shape()):
        if static >= 0:
            sizes.append(static)
            continue
        source = dim_size(op.source, dim, new)
        sizes.append(_applied(total, [source, old_low[dim], old_high[dim]], new))
    less = AffineExpr.dimension(0) - AffineExpr.dimension(1)
    offsets = [
        _applied(less, [now, before], new)
        for now, before in zip(low, old_low, strict=True)
    ]
    return tensor.ExtractSliceOp(whole, offsets, sizes, [1] * rank, kind)


@irdl_op_definition
class MakeBufferLoopIndependentOp(_IndependentOp):
    """Make buffers of sizes that no loop changes."""

    name = "transform.memref.make_loop_independent"

    num_loops = prop_def(IntegerAttr.constr(i64))
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def sizes_of(self, op: Operation) -> Sequence[Extent] | None:
        """The sizes of a buffer on the stack."""
        if not isinstance(op, memref.AllocaOp):
            return None
        return _with_static(buffer_type(op.memref).get_shape(), op.dynamic_sizes)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Put a part of a larger buffer in the place of the op."""
        if plan.is_done:
            return plan.op
        new = OpList()
        sizes = [_computed(bound, new) for bound in plan.bounds]
        kind = buffer_type(plan.op.results[0])
        larger = MemRefType(
            kind.element_type, numbers_in(sizes), memory_space=kind.memory_space
        )
        dynamic = [size for size in sizes if isinstance(size, SSAValue)]
        whole = new.add(memref.AllocaOp(dynamic, [], larger))
        place = Slice((0,) * len(sizes), plan.sizes, (1,) * len(sizes))
        part = window(whole, place)
        new.add(part)
        rewriter.insert_before(plan.op, *new.ops)
        retype_uses(plan.op.results[0], part.results[0], rewriter)
        rewriter.erase(plan.op)
        return part
