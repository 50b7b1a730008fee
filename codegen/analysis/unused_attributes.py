"""Refuses launch attributes that have no effect on the kernel of their grid."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block

from tilewright.codegen.analysis.elements.tiles import LEAST_COLUMNS, part_width
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import (
    DescriptorStoreOp,
    DescriptorType,
    DotOp,
    EachTileOp,
    StoreOp,
)
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.table import (
    CONSUMER_REGISTERS,
    CONSUMERS,
    DESCRIPTORS,
    OF_ROLES,
    RING,
    WHERE_LEGAL,
)
from tilewright.ir.launch_attributes.values import (
    asked_descriptors,
    launch_attribute,
    launch_number,
)


def refuse_unused_attributes(
    grid: ForallOp, entry: Block, accesses: Iterable[Access]
) -> None:
    """Refuse attributes of `grid` that made no difference to its kernel."""
    _refuse_parts(grid, entry)
    if asked_descriptors(grid) and not any(
        isinstance(argument.type, DescriptorType) for argument in entry.args
    ):
        reason = "no tile has two dimensions"
        if asked_descriptors(grid) == WHERE_LEGAL:
            reason = "no tile can go through a descriptor"
        _refuse(grid, DESCRIPTORS, reason)
    if "triton.dot_precision" in grid.attributes and not any(
        isinstance(op, DotOp) and op.input_precision is not None for op in entry.walk()
    ):
        _refuse(grid, "triton.dot_precision", "no dot of f32 operands")
    if not launch_number(grid, CONSUMERS):
        _refuse_alone(grid)
    if launch_attribute(grid, "triton.wide_offsets") and all(
        DYNAMIC_INDEX not in access.buffer.get_shape() for access in accesses
    ):
        _refuse(grid, "triton.wide_offsets", "all sizes are known")


def _refuse_alone(grid: ForallOp) -> None:
    """Refuse a ring that no warp loads into, and registers of no group."""
    for op in grid.walk():
        for name in OF_ROLES:
            usual = 1 if op is grid else 0  # A tile's rows have one slot anyway.
            if int(launch_attribute(op, name) or 0) <= usual:
                continue
            what = "a loader" if name == RING else "groups of warps"
            refuse(
                op,
                f"'{name}' needs {what}: the warps of this grid have no roles",
                "'specialize GRID consumers = 2', or leave it off this loop",
            )
    if launch_number(grid, CONSUMER_REGISTERS):
        _refuse(grid, CONSUMER_REGISTERS, "the warps of this grid have no roles")


def _refuse_parts(grid: ForallOp, entry: Block) -> None:
    parts = launch_number(grid, "triton.store_parts")
    blocks = [entry]
    blocks += [op.body.block for op in entry.ops if isinstance(op, EachTileOp)]
    if parts > 1 and not any(
        isinstance(op, StoreOp | DescriptorStoreOp)
        and part_width(op.value.type, parts) is not None
        for block in blocks
        for op in block.ops
    ):
        refuse(
            grid,
            f"'triton.store_parts' of {parts} changes nothing here: no matrix of at "
            f"least {parts * LEAST_COLUMNS} columns is stored",
            "leave the attribute off this grid, or tile wider",
        )


def _refuse(grid: ForallOp, name: str, reason: str) -> None:
    refuse(
        grid,
        f"'{name}' changes nothing here: {reason}",
        "leave the attribute off this grid",
    )
