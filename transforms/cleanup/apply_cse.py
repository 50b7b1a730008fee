"""`apply_cse`: keep one of each computation.

Before:
    %a = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
    %b = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)

After:
    %a = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)      // %b's users read %a

Requires: nothing. Ops with effects, or with a region of several blocks, are left alone;
dead ops are dropped, as upstream's CSE does.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from xdsl.ir import Block, Operation
from xdsl.irdl import irdl_op_definition
from xdsl.traits import IsTerminator, is_side_effect_free

from tilewright.transforms.cleanup.patterns.driver import erase_dead
from tilewright.transforms.on_target import OnTargetOp
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.state import TransformState


@irdl_op_definition
class ApplyCseOp(OnTargetOp):
    """Eliminate common subexpressions inside the target."""

    name = "transform.apply_cse"
    VERB: ClassVar[str | None] = "cse"

    def apply(self, state: TransformState) -> None:
        """Run CSE inside each op the target points at."""
        for root in state.payload_ops(self.target):
            eliminate_common(root, state.rewriter)


def eliminate_common(root: Operation, rewriter: Rewriter) -> None:
    """CSE and dead code elimination inside `root`."""
    for region in root.regions:
        for block in region.blocks:
            _visit(block, {}, rewriter)
    erase_dead(root, rewriter)


def _visit(
    block: Block, outer: dict[Hashable, tuple[Operation, ...]], rewriter: Rewriter
) -> None:
    """Visit a block; what the enclosing blocks computed before is in scope."""
    known = dict(outer)
    for op in list(block.ops):
        for region in op.regions:
            for nested in region.blocks:
                _visit(nested, known, rewriter)
        if not op.results or op.has_trait(IsTerminator):
            continue
        if any(len(region.blocks) > 1 for region in op.regions):
            continue
        if not is_side_effect_free(op):
            continue
        key = _key(op)
        before = known.get(key, ())
        same = next((other for other in before if _same_regions(other, op)), None)
        if same is not None:
            rewriter.replace(op, same.results, stands_for=same)
        else:
            known[key] = (*before, op)


def _same_regions(one: Operation, other: Operation) -> bool:
    return all(
        mine.is_structurally_equivalent(theirs)
        for mine, theirs in zip(one.regions, other.regions, strict=True)
    )


def _key(op: Operation) -> Hashable:
    return (
        op.name,
        tuple(op.operands),
        tuple(op.result_types),
        len(op.regions),
        tuple(sorted(op.properties.items(), key=lambda item: item[0])),
        tuple(sorted(op.attributes.items(), key=lambda item: item[0])),
    )
