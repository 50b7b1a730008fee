"""Remove ops whose results are not used."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects.kernel import DescriptorLoadOp, LoadOp


def remove_dead(block: Block) -> None:
    """Remove ops without effects, and loads, whose results are not used."""
    for op in reversed(list(block.ops)):
        for region in op.regions:
            for inner in region.blocks:
                remove_dead(inner)
        is_read = any(result.uses for result in op.results)
        if op.results and not is_read:
            if is_side_effect_free(op) or isinstance(op, LoadOp | DescriptorLoadOp):
                op.detach()
                op.erase()
