"""`collapse_loops`: run neighbouring loops of an op as one loop. Not upstream's.

Before:
    %r = linalg.generic {indexing_maps = [(d0, d1, d2) -> (d0, d1, d2),
        (d0, d1, d2) -> (d2), (d0, d1, d2) -> (d0, d1, d2)], ...}
        ins(%x, %b : tensor<4x5x8xf32>, tensor<8xf32>) outs(%o : tensor<4x5x8xf32>)

After `collapse_loops %r by [2, 1]`:
    %cx = tensor.collapse_shape %x [[0, 1], [2]] : ... into tensor<20x8xf32>
    %co = tensor.collapse_shape %o [[0, 1], [2]] : ...
    %c = linalg.generic {indexing_maps = [(d0, d1) -> (d0, d1), (d0, d1) -> (d1),
        (d0, d1) -> (d0, d1)], ...} ins(%cx, %b : ...) outs(%co : ...)
    %r = tensor.expand_shape %c [[0, 1], [2]] output_shape [4, 5, 8] : ...

The sizes are the lengths of the runs of loops that become one loop each; without sizes,
the runs are as long as possible. A reshape that meets its inverse disappears with it:
a producer and a consumer that are both collapsed are neighbours again, and can be
fused. A named op becomes generic.

Requires: a structured op on tensors. In each run all loops are parallel or all are
reductions, and each operand is indexed by all of them side by side, or by none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    IndexOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.tensor.shapes import reassociation_of
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.structured.collapsing import collapsible, why_apart
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import element_type, is_buffer, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import empty, split_sizes
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.one_tile import loop_ranges


@dataclass(frozen=True)
class Plan:
    """An op, and its loops in runs."""

    op: StructuredOp
    lengths: tuple[int, ...]

    @property
    def runs(self) -> list[range]:
        """The loops of each run."""
        ends = [sum(self.lengths[: n + 1]) for n in range(len(self.lengths))]
        return [
            range(end - length, end)
            for end, length in zip(ends, self.lengths, strict=True)
        ]

    @property
    def new_loop(self) -> dict[int, int]:
        """The new number of each loop."""
        return {loop: n for n, run in enumerate(self.runs) for loop in run}


@irdl_op_definition
class CollapseLoopsOp(TargetOp):
    """Collapse loops; consumes the target, returns the op with fewer loops."""

    name = "transform.tilewright.collapse_loops"
    FORM: ClassVar[str] = "collapse <target:handle> [by <lengths:numbers>]"
    SUMMARY: ClassVar[str] = "run neighbouring loops of an op as one loop"

    lengths = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    transformed = result_def(TransformOpHandleType)

    assembly_format = (
        "$target (`by` $lengths^)? attr-dict `:` functional-type(operands, results)"
    )

    def _lengths(self) -> list[int]:
        return [int(length) for length in self.lengths.get_values()]

    def analyze(self, op: Operation) -> Plan:
        """Check that the loops of each run can be one loop."""
        op = structured_op(self, op)
        if any(is_buffer(operand.type) for operand in op.operands):
            raise self.refuse("the op works on buffers", op, "collapse, then bufferize")
        lengths, loops = self._lengths(), op.get_num_loops()
        if not lengths:
            return Plan(op, collapsible(op))
        if min(lengths) < 1 or sum(lengths) != loops:
            raise self.refuse(
                f"{lengths} does not add up to its {loops} loops",
                op,
                "give the number of loops of each run, outermost first",
            )
        plan = Plan(op, tuple(lengths))
        for run in plan.runs:
            for inner in run[1:]:
                if (reason := why_apart(op, inner)) is not None:
                    raise self.refuse(reason, op, f"begin a new run at loop {inner}")
        return plan

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Replace the op by one with fewer loops, and reshapes around it."""
        op = plan.op
        if all(length == 1 for length in plan.lengths):
            return op
        new = OpList()
        ranges = loop_ranges(op, new)
        operands = [
            _collapsed(operand, _groups(map_, plan), new)
            for operand, map_ in zip(op.operands, op.maps, strict=True)
        ]
        made = _with_runs(op, operands, plan)
        _split_indices(made, plan, ranges, new)
        new.ops.append(made)
        results: list[SSAValue] = []
        maps = list(op.maps)[len(op.inputs) :]
        for old, result, output, map_ in zip(
            op.results, made.results, op.outputs, maps, strict=True
        ):
            groups = _groups(map_, plan)
            name = old.name_hint
            if len(groups) == len(map_.results):
                result.name_hint = name
                results.append(result)
                continue
            result.name_hint = f"{name}_flat" if name is not None else None
            expanded = _expanded(result, output, map_, groups, ranges)
            results.append(new.add(expanded))
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        before = [operand.owner for operand in op.operands]
        rewriter.replace(op, results, stands_for=made)
        for owner in dict.fromkeys(before):
            if isinstance(owner, tensor.ExpandShapeOp) and not owner.result.uses:
                rewriter.erase(owner)
        for value in results:
            if isinstance(value.owner, tensor.ExpandShapeOp):
                _meet_inverses(value.owner, rewriter)
        return made


def _with_runs(
    op: StructuredOp, operands: Sequence[SSAValue], plan: Plan
) -> StructuredOp:
    """The op on collapsed operands, with a loop for each run."""
    outputs = operands[len(op.inputs) :]
    if isinstance(op, FillOp):
        fill = FillOp(operands[: len(op.inputs)], outputs)
        fill.attributes |= op.attributes
        return fill
    dims = [
        AffineExpr.dimension(plan.new_loop[loop]) for loop in range(len(plan.new_loop))
    ]
    maps: list[AffineMap] = []
    for map_ in op.maps:
        firsts = [group[0] for group in _groups(map_, plan)]
        kept = tuple(substitute(map_.results[at], dims) for at in firsts)
        maps.append(AffineMap(len(plan.lengths), 0, kept))
    reduced = [n for n, run in enumerate(plan.runs) if is_reduction(op, run[0])]
    generic = GenericOp(
        operands[: len(op.inputs)],
        outputs,
        op.body.clone(),
        maps_attribute(maps),
        iterators(len(plan.lengths), tuple(reduced)),
        [value.type for value in outputs],
    )
    if isinstance(op, GenericOp):
        generic.attributes |= op.attributes
    return generic


def _groups(map_: AffineMap, plan: Plan) -> list[list[int]]:
    """The dimensions of an operand, those of one run together."""
    groups: list[list[int]] = []
    last: int | None = None
    for dim, expr in enumerate(map_.results):
        run = plan.new_loop[expr.position] if isinstance(expr, AffineDimExpr) else None
        if run is not None and run == last:
            groups[-1].append(dim)
        else:
            groups.append([dim])
        last = run
    return groups


def _collapsed(
    operand: SSAValue, groups: Sequence[Sequence[int]], new: OpList
) -> SSAValue:
    """An operand with its dimensions merged: the source, if it was expanded so."""
    if not is_tensor(operand.type) or len(groups) == len(operand.type.get_shape()):
        return operand
    owner, wanted = operand.owner, reassociation_of(groups)
    if isinstance(owner, tensor.ExpandShapeOp) and owner.reassociation == wanted:
        return owner.src
    shape = operand.type.get_shape()
    merged = [
        DYNAMIC_INDEX
        if any(shape[dim] == DYNAMIC_INDEX for dim in group)
        else math.prod(shape[dim] for dim in group)
        for group in groups
    ]
    kind = TensorType(element_type(operand.type), merged)
    if isinstance(owner, tensor.EmptyOp) and DYNAMIC_INDEX not in merged:
        return empty(merged, kind.element_type, new)
    made = new.add(tensor.CollapseShapeOp(operand, wanted, kind))
    if operand.name_hint is not None:
        made.name_hint = f"{operand.name_hint}_flat"
    return made


def _expanded(
    result: SSAValue,
    output: SSAValue,
    map_: AffineMap,
    groups: Sequence[Sequence[int]],
    ranges: Sequence[Extent],
) -> tensor.ExpandShapeOp:
    """A collapsed result in the shape of the output."""
    kind = tensor_type(output)
    sizes: list[Extent] = [
        ranges[expr.position]
        if size == DYNAMIC_INDEX and isinstance(expr, AffineDimExpr)
        else size
        for size, expr in zip(kind.get_shape(), map_.results, strict=True)
    ]
    static, dynamic = split_sizes(sizes)
    made = TensorType(kind.element_type, static)
    return tensor.ExpandShapeOp(result, dynamic, reassociation_of(groups), static, made)


def _meet_inverses(expand: tensor.ExpandShapeOp, rewriter: Rewriter) -> None:
    """Let ops that collapse an expanded tensor again read it as it was before."""
    for use in list(expand.result.uses):
        user = use.operation
        if (
            isinstance(user, tensor.CollapseShapeOp)
            and user.reassociation == expand.reassociation
            and user.result.type == expand.src.type
        ):
            rewriter.replace(user, [expand.src])
    if not expand.result.uses:
        rewriter.erase(expand)


def _split_indices(
    made: StructuredOp, plan: Plan, ranges: Sequence[Extent], new: OpList
) -> None:
    """Compute the indices of the old loops from those that are left."""
    indices = [op for op in made.body.walk() if isinstance(op, IndexOp)]
    if not indices:
        return
    block = made.body.block
    first = block.first_op
    assert first is not None
    found: dict[int, SSAValue] = {}
    for number, run in enumerate(plan.runs):
        rest: Operation = IndexOp(number)
        ops = [rest]
        for loop in reversed(run[1:]):
            size = new.index(ranges[loop])
            remainder = arith.RemSIOp(rest.results[0], size)
            rest = arith.DivSIOp(rest.results[0], size)
            ops += [remainder, rest]
            found[loop] = remainder.result
        found[run[0]] = rest.results[0]
        for op in ops:
            block.insert_op_before(op, first)
    for index in indices:
        index.result.replace_all_uses_with(found[index.dim.value.data])
        parent = index.parent_block()
        assert parent is not None
        parent.erase_op(index)
