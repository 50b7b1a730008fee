"""`structured.split`: cut an op in two along one loop.

Before:
    %r = linalg.exp ins(%x : tensor<40xf32>) outs(%o : tensor<40xf32>) -> ...

After `split %r after 12 {dimension = 0}`:
    %x0 = tensor.extract_slice %x[0] [12] [1] : ...
    %o0 = tensor.extract_slice %o[0] [12] [1] : ...
    %r0 = linalg.exp ins(%x0 : tensor<12xf32>) outs(%o0 : tensor<12xf32>) -> ...
    %i0 = tensor.insert_slice %r0 into %o[0] [12] [1] : ...
    %x1 = tensor.extract_slice %x[12] [28] [1] : ...
    %o1 = tensor.extract_slice %i0[12] [28] [1] : ...
    %r1 = linalg.exp ins(%x1 : tensor<28xf32>) outs(%o1 : tensor<28xf32>) -> ...
    %r = tensor.insert_slice %r1 into %i0[12] [28] [1] : ...

The result holds the first parts, then the second ones. A split after the end, or at 0,
leaves the op whole. With `multiway` the parameter holds the sizes of the parts, one
after the other.

Requires: a structured op, and a loop that each operand's slice can follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import sub
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.irdl import (
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.tensor import InsertSliceOp
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import Extent, OpList, evaluate, least
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import packed_sizes, sizes_for
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Size
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.interface.tiling import Part, Tiling
from tilewright.transforms.structured.tile.tiling_checks import check_cut, check_tiling


@irdl_op_definition
class SplitOp(PlannedOp):
    """Cut ops in two, or in several parts; consumes the target."""

    name = "transform.structured.split"
    KEEPS_TYPE: ClassVar[bool] = True
    FORM: ClassVar[str] = (
        "split <target:handle> after <chunk_sizes:param> along <dimension:param>"
    )
    SUMMARY: ClassVar[str] = "cut an op in two along a loop"

    T: ClassVar = VarConstraint("T", base(TransformOpHandleType))

    target = operand_def(T)
    dynamic_chunk_sizes = opt_operand_def()
    dimension = prop_def(IntegerAttr.constr(i64))
    static_chunk_sizes = prop_def(IntegerAttr.constr(i64))
    multiway = opt_prop_def(UnitAttr)
    split_list = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Size,)
    assembly_format = (
        "$target `after` custom<Size>($dynamic_chunk_sizes, $static_chunk_sizes) "
        "attr-dict `:` type($target) (`,` type($dynamic_chunk_sizes)^)?"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is replaced by its parts."""
        return (self.target,)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op that the target points at."""
        targets = state.payload_ops(self.target)
        loop = self.dimension.value.data
        chunks = self._chunks(state, targets)
        return [
            analyze(self, op, loop, sizes)
            for op, sizes in zip(targets, chunks, strict=True)
        ]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> list[Operation]:
        """Split one op; its parts."""
        return rewrite(plan, rewriter)

    def set_results(self, state: TransformState, made: Sequence[Any]) -> None:
        """Return all first parts, then all second parts; of several, op by op."""
        if self.multiway is not None:
            super().set_results(state, made)
            return
        firsts = [parts[0] for parts in made]
        seconds = [parts[1] for parts in made if len(parts) > 1]
        state.set_ops(self.split_list, [*firsts, *seconds])

    def _chunks(
        self, state: TransformState, targets: Sequence[Operation]
    ) -> list[tuple[Extent, ...]]:
        if self.dynamic_chunk_sizes is None:
            return [(self.static_chunk_sizes.value.data,) for _ in targets]
        handle = self.dynamic_chunk_sizes
        if self.multiway is not None:
            sizes = packed_sizes(self, state, handle, targets)
            return [tuple(map(_known, sizes)) for _ in targets]
        one = DenseArrayBase.from_list(i64, [DYNAMIC_INDEX])
        pairs = sizes_for(self, state, one, [handle], targets)
        return [(_known(size),) for (size,) in pairs]


def _known(size: Extent) -> Extent:
    """The number that a size is, also where an `affine.apply` computes it."""
    owner = size.owner if isinstance(size, SSAValue) else None
    if isinstance(owner, affine.ApplyOp):
        expr = owner.map.data.results[0]
        if isinstance(expr, AffineConstantExpr):
            return expr.value
    return size


@dataclass(frozen=True)
class Plan:
    """An op, one of its loops, and where to cut it, part after part."""

    tiling: Tiling
    loop: int
    chunks: tuple[Extent, ...]


def analyze(
    user: TransformOp, op: Operation, loop: int, chunks: Sequence[Extent]
) -> Plan:
    """Check that `op` can be split there."""
    tiling, full = check_tiling(user, structured_op(user, op), ())
    if not 0 <= loop < len(full):
        raise user.refuse(
            f"there is no loop {loop}, the op has {len(full)}",
            op,
            remedy="loops count from 0",
        )
    check_cut(user, tiling, [loop])
    for chunk in chunks:
        if isinstance(chunk, int) and chunk < 0:
            raise user.broken(f"size {chunk} is negative")
    return Plan(tiling, loop, tuple(chunks))


def rewrite(plan: Plan, rewriter: Rewriter) -> list[Operation]:
    """Cut the op chunk by chunk; what is left after a chunk is cut again."""
    parts: list[Operation] = []
    rest = plan.tiling.op
    taken: list[Extent] = []
    for chunk in plan.chunks:
        tiling = type(plan.tiling)(rest)
        *first, rest = _cut(tiling, plan.loop, chunk, taken, rewriter)
        parts += first
    return [*parts, rest]


def _cut(
    tiling: Tiling,
    loop: int,
    chunk: Extent,
    taken: list[Extent],
    rewriter: Rewriter,
) -> list[Operation]:
    """Replace an op by two parts, the second writing into the result of the first.

    `taken` has the extent of the whole loop and the sizes of all first parts so far.
    """
    op = tiling.op
    new_ops = OpList()
    ranges = tiling.ranges(new_ops)
    size = least(chunk, ranges[loop], new_ops)
    if size in (0, ranges[loop]):
        new_ops.drop()
        return [op]
    if not taken:
        taken.append(ranges[loop])
    taken.append(size)
    whole = AffineExpr.symbol(0)
    left = reduce(sub, map(AffineExpr.symbol, range(1, len(taken))), whole)
    parts: list[Operation] = []
    outputs = tiling.destinations(new_ops)
    for offset in (0, size):
        is_second = offset is size
        ranges[loop] = evaluate(left, [], new_ops, taken) if is_second else size
        outputs = _part(tiling, loop, offset, ranges, outputs, parts, new_ops)
    rewriter.insert_before(op, *new_ops.ops)
    rewriter.replace(op, outputs, stands_for=parts[0])
    return parts


def _part(
    tiling: Tiling,
    loop: int,
    offset: Extent,
    sizes: Sequence[Extent],
    outputs: Sequence[SSAValue],
    parts: list[Operation],
    new_ops: OpList,
) -> list[SSAValue]:
    """Add the op for one part; the outputs with the part in them."""
    offsets: list[Extent] = [0] * len(sizes)
    offsets[loop] = offset
    tile = Part(offsets, list(sizes))
    tiled = tiling.tile(tile, outputs, new_ops)
    parts.append(tiled.op)
    written: list[SSAValue] = []
    for index, (value, out) in enumerate(zip(tiled.values, outputs, strict=True)):
        where = tiling.part_of_result(index, tile, new_ops)
        written.append(new_ops.add(InsertSliceOp(value, out, *where.slice)))
    return written
