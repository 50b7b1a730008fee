"""`delay`: run the last products of a loop's body one iteration later. Not upstream's.

Before:
    %m, %o = scf.for %j = %c0 to %n step %c64 iter_args(%m0 = ..., %o0 = ...) {
      %s = linalg.matmul ins(%q, %k_j) ...
      %m1, %p, %f = ...                             // of %s and %m0
      %o1 = linalg.matmul ins(%p, %v_j) outs(%o0 * %f)
      scf.yield %m1, %o1
    }

After:
    %s = linalg.matmul ins(%q, %k_0) ...
    %m1, %p, %of = ...                              // of the first iteration
    %m, %pl, %ol = scf.for %j = %c64 to %n step %c64
        iter_args(%m0 = %m1, %p0 = %p, %o0 = %of) {
      %s = linalg.matmul ins(%q, %k_j) ...
      %o1 = linalg.matmul ins(%p0, %v_(j - 64)) outs(%o0)
      %m1, %p, %f = ...                             // of %s and %m0
      scf.yield %m1, %p, %o1 * %f
    }
    %o = linalg.matmul ins(%pl, %v_last) outs(%ol)

Both products of an iteration are now independent of each other, and the elements of one
iteration are computed while the product of the one before runs.

Requires: a loop that runs at least once, on tensors; a product that needs another one
of the same iteration; whole tiles, where they pass to the next iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList, evaluate, known_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.masks.iterations import certainly_runs
from tilewright.transforms.loop.shared.late_part import LatePart, is_apart, late_part
from tilewright.transforms.loop.shared.loop_bodies import launch_attributes
from tilewright.transforms.loop.shared.targets import index_loop

Values = dict[SSAValue, SSAValue]


@irdl_op_definition
class DelayOp(TargetOp):
    """Delay the last products of loops; consumes them, returns the new loops."""

    name = "transform.tilewright.delay"
    FORM: ClassVar[str] = "delay <target:handle>"
    SUMMARY: ClassVar[str] = (
        "run the last products of a loop one iteration later, under the next elements"
    )

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> LatePart:
        """Find the part that runs late."""
        loop = index_loop(self, op)
        if not is_apart(loop.body.block):
            raise self.refuse(
                "the loop touches buffers", loop, "delay before buffers are made"
            )
        if not certainly_runs(loop):
            raise self.refuse(
                "the loop may have no iteration",
                loop,
                "'trim' it with keep_one = true, and delay before the loop is split",
            )
        part = late_part(loop)
        if isinstance(part, str):
            raise self.refuse(part, loop, "leave this loop as it is")
        for value in part.crossing:
            if not _is_fixed(value, loop):
                raise self.refuse(
                    "the size of a tile that passes to the next iteration is not fixed",
                    loop,
                    self.worded(
                        mlir="peel the loop and canonicalize, so that tiles are whole",
                        tw="'peel' the loop and canonicalize first, so that its tiles "
                        "are whole",
                    ),
                )
        return part

    def rewrite(self, plan: LatePart, rewriter: Rewriter) -> scf.ForOp:
        """The early part of the first iteration, the loop, the last late part."""
        loop, head = plan.loop, OpList()
        block = loop.body.block
        first: Values = dict(zip(block.args, loop.operands[:1], strict=False))
        first.update(zip(block.args[1:], loop.iter_args, strict=True))
        head.ops += _clones(plan.early, first)
        kept = [_carried(plan, first)[n] for n in plan.kept]
        crossing = [first[value] for value in plan.crossing]
        new = _steady(plan, head, [*kept, *crossing])
        tail = OpList()
        last: Values = {block.args[0]: _last_index(loop, tail)}
        last.update(_named(plan, new.results))
        tail.ops += _clones(plan.late, last)
        results: list[SSAValue] = []
        for n, value in enumerate(yielded(loop)):
            is_late = n in plan.late_results
            results.append(last[value] if is_late else new.results[plan.kept.index(n)])
        rewriter.insert_before(loop, *head.ops, new, *tail.ops)
        rewriter.replace(loop, results, stands_for=new)
        return new


def _is_fixed(value: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a tile has the same size in all iterations."""
    for dim, size in enumerate(shape_of(value.type)):
        extent = known_size(value, dim) if size == DYNAMIC_INDEX else size
        is_inside = isinstance(extent, SSAValue) and not is_defined_outside(
            extent.owner, loop
        )
        if extent is None or is_inside:
            return False
    return True


def _clones(ops: Iterable[Operation], values: Values) -> list[Operation]:
    return [op.clone(values) for op in ops]


def _carried(plan: LatePart, values: Values) -> list[SSAValue]:
    """The carried values after the early part of an iteration."""
    made = yielded(plan.loop)
    args = plan.loop.body.block.args[1:]
    return [
        values[args[n] if n in plan.late_results else made[n]] for n in range(len(made))
    ]


def _named(plan: LatePart, values: Sequence[SSAValue]) -> Values:
    """What carried values stand for in the late part: arguments, then crossing ones."""
    args = [plan.loop.body.block.args[1 + n] for n in plan.kept]
    return dict(zip([*args, *plan.crossing], values, strict=True))


def _steady(plan: LatePart, head: OpList, inits: Sequence[SSAValue]) -> scf.ForOp:
    """The loop from the second iteration on."""
    old = plan.loop
    block = Block(arg_types=[old.lb.type, *(init.type for init in inits)])
    for argument, init in zip(block.args[1:], inits, strict=True):
        argument.name_hint = init.name_hint
    index = block.args[0]
    index.name_hint = old.body.block.args[0].name_hint
    before = OpList()
    step = AffineExpr.symbol(0)
    shifted = evaluate(AffineExpr.dimension(0) - step, [index], before, [_step(old)])
    late: Values = {old.body.block.args[0]: before.index(shifted)}
    late.update(_named(plan, block.args[1:]))
    early: Values = {old.body.block.args[0]: index}
    early.update(
        {
            old.body.block.args[1 + n]: block.args[1 + at]
            for at, n in enumerate(plan.kept)
        }
    )
    ahead = _clones(plan.early[: plan.first], early)
    behind = _clones(plan.late, late)
    made = yielded(old)
    early.update({old.body.block.args[1 + n]: late[made[n]] for n in plan.late_results})
    rest = _clones(plan.early[plan.first :], early)
    _overwrite(plan, early, late)
    after = _carried(plan, early)
    results = [after[n] for n in plan.kept] + [early[v] for v in plan.crossing]
    block.add_ops([*ahead, *before.ops, *behind, *rest, scf.YieldOp(*results)])
    lower = head.index(
        evaluate(AffineExpr.dimension(0) + step, [old.lb], head, [_step(old)])
    )
    new = scf.ForOp(lower, old.ub, old.step, list(inits), Region(block))
    new.attributes = launch_attributes(old)
    new.location = old.location
    for result, init in zip(new.results, inits, strict=True):
        result.name_hint = init.name_hint
    return new


def _overwrite(plan: LatePart, early: Values, late: Values) -> None:
    """Let what passes on overwrite what the late part has read: a tile stays one."""
    for value in plan.crossing:
        op = early[value].owner
        if not isinstance(op, StructuredOp) or not isinstance(value, OpResult):
            continue
        place = len(op.inputs) + value.index
        if isinstance(op.operands[place].owner, tensor.EmptyOp):
            op.operands[place] = late[value]


def _step(loop: scf.ForOp) -> SSAValue | int:
    number = constant_int(loop.step)
    return loop.step if number is None else number


def _last_index(loop: scf.ForOp, new_ops: OpList) -> SSAValue:
    """The index of the last iteration."""
    lower, upper, step = (AffineExpr.symbol(place) for place in range(3))
    whole = upper - lower - 1
    rounded = whole - binary(AffineBinaryOpKind.Mod, whole, step)
    bounds = [_number(loop.lb), _number(loop.ub), _step(loop)]
    return new_ops.index(evaluate(lower + rounded, [], new_ops, bounds))


def _number(value: SSAValue) -> SSAValue | int:
    number = constant_int(value)
    return value if number is None else number
