"""Leaving out of a kernel what nobody reads."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Block
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    FuncOp,
    LoadOp,
    named_sizes,
)


def remove_dead(block: Block) -> None:
    """Drop ops whose results nobody reads and that change nothing: loads too."""
    for op in reversed(list(block.ops)):
        for region in op.regions:
            for inner in region.blocks:
                remove_dead(inner)
        is_read = any(result.uses for result in op.results)
        if op.results and not is_read:
            if is_side_effect_free(op) or isinstance(op, LoadOp | DescriptorLoadOp):
                op.detach()
                op.erase()


def drop_unread_constants(func: FuncOp) -> None:
    """Keep the named sizes that something reads."""
    read = {name for op in func.body.walk() for name, _ in named_sizes(op)}
    func.properties["constants"] = DictionaryAttr(
        {key: value for key, value in func.constants.data.items() if key in read}
    )
