"""Refusals of code generation: the op, its place, the reason and a remedy."""

from __future__ import annotations

from math import prod
from typing import NoReturn

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.errors import Note, Place, SilenceableFailure
from tilewright.ir.text import place_of

MOST_ELEMENTS = 2**20
"""The most elements of a Triton tile, for every type."""


IN_REGISTERS = (
    "keep the tile in registers: 'include to_vectors(FUNCTION)' after 'vectorize' and "
    "before 'bufferize'"
)
"""The remedy if a tile goes through memory without need."""


def refuse(op: Operation, fact: str, remedy: str | None = None) -> NoReturn:
    """Refuse a program: this schedule does not give a kernel."""
    place = _nearest_place(op)
    around = _grid_place(op)
    is_elsewhere = around is not None and around != place
    notes = [Note("in the kernel that this makes", around)] if is_elsewhere else []
    raise SilenceableFailure(f"'{op.name}': {fact}", place, remedy, notes)


def _grid_place(op: Operation) -> Place | None:
    """The place that made the grid around an op: a line of the schedule, if known."""
    around: Operation | None = op
    while around is not None and not isinstance(around, ForallOp):
        around = around.parent_op()
    return None if around is None else place_of(around)


def _nearest_place(op: Operation) -> Place | None:
    """The place of an op; if it has none, the place of the nearest op that has one.

    Ops that patterns made have no place. The order is: users, owners of operands,
    parent.
    """
    readers = [use.operation for result in op.results for use in result.uses]
    makers = [maker_of(operand) for operand in op.operands]
    for near in (op, *readers, *makers):
        if (place := place_of(near)) is not None:
            return place
    parent = op.parent_op()
    return None if parent is None else _nearest_place(parent)


def maker_of(value: SSAValue) -> Operation:
    """The op to name if a value is refused: its owner, or the parent of its block."""
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    assert op is not None, "a block argument without an op around it"
    return op


def check_tile(op: Operation, of: Attribute) -> None:
    """Refuse a tile that Triton cannot hold: its extents must be powers of two."""
    if not isinstance(of, VectorType):
        return
    if prod(of.get_shape()) > MOST_ELEMENTS:
        refuse(
            op,
            f"a tile of {'x'.join(map(str, of.get_shape()))}: Triton's tiles have "
            f"{MOST_ELEMENTS} elements at the most",
            "tile smaller, or vectorize to smaller sizes",
        )
    for size in of.get_shape():
        if size < 1 or size & (size - 1):
            refuse(
                op,
                f"tile of {'x'.join(map(str, of.get_shape()))}: Triton's tiles have "
                "extents that are powers of two",
                f"vectorize to {1 << size.bit_length()} with a mask",
            )
