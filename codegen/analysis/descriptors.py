"""Which tiles are loaded and stored through tensor descriptors.

A descriptor describes a buffer to the hardware, or the first rows and columns of one.
The hardware reads zeros outside of it and drops stores there, so a mask must end at the
same row and column in every tile. The limits are those of Hopper's tensor memory
accelerator, as Triton checks them.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue

from tilewright.codegen.analysis.elements.atoms import MAX_I32
from tilewright.codegen.analysis.elements.views import Access, strides_of
from tilewright.codegen.refusal import refuse
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dialects import vector
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dtypes import element
from tilewright.ir.launch_attributes.table import WHERE_LEGAL
from tilewright.ir.launch_attributes.values import asked_descriptors

MAX_RANK = 5
"""The dimensions of a tensor that a descriptor can describe."""
_MAX_BLOCK = 256
_BYTES = (1, 2, 4)
"""Widths of elements; an i1 has none, though it takes a byte."""

_REMEDY = "leave 'triton.descriptors' off this grid, or change what is named"


def is_vector_like(access: Access) -> bool:
    """Whether a tile has fewer than two dimensions: it is accessed by pointers."""
    return len(access.lanes) - access.lanes.count(None) < 2


def block_shape(access: Access) -> tuple[int, ...]:
    """The block shape of a descriptor, in the order of the buffer's dimensions."""
    return tuple(1 if lane is None else access.shape[lane] for lane in access.lanes)


def described_extents(access: Access) -> tuple[int, ...] | None:
    """The rows and columns that a descriptor describes; None for the whole buffer."""
    windows: dict[int, int] = {}
    for bound in access.bounds:
        limit, size = access.limit_in_base(bound), access.sizes[bound.dim]
        if limit.is_constant and limit != size:
            known = windows.get(bound.dim, size.constant)
            windows[bound.dim] = min(known, limit.constant)
    if all(access.sizes[dim].constant == end for dim, end in windows.items()):
        return None
    return tuple(
        windows.get(dim, size.constant) for dim, size in enumerate(access.sizes)
    )


class Descriptors:
    """Which accesses of a grid go through descriptors."""

    def __init__(self, grid: ForallOp, names: Mapping[SSAValue, str]):
        self.accesses: list[Access] = []
        """The accesses that go through descriptors."""
        self.notes: list[str] = []
        """A sentence for each buffer whose accesses stay pointer accesses."""
        asked = asked_descriptors(grid)
        self._are_asked_for = bool(asked)
        self._only_where_legal = asked == WHERE_LEGAL
        self._names = names

    def may_take(self, access: Access) -> bool:
        """Whether descriptors are asked for, and the tile has enough dimensions."""
        return self._are_asked_for and not is_vector_like(access)

    def take(self, access: Access, other: Attribute | None) -> bool:
        """Whether an access goes through a descriptor.

        An access that cannot is refused, unless descriptors are asked for where legal.

        `other` is the value of masked-off lanes.
        """
        if not self._are_asked_for:
            return False
        if is_vector_like(access):
            self._note(access, "a tile of one dimension stays a pointer access")
            return False
        reason = _obstacle(access, other)
        if reason is None and self._only_where_legal and _is_left_operand(access):
            reason = _split_block(access)
        if reason is not None and self._only_where_legal:
            self._note(access, f"stays a pointer access: {reason}")
            return False
        if reason is not None:
            name = self._names[access.base]
            fact = f"'{name}' cannot go through a tensor descriptor: {reason}"
            refuse(access.op, fact, _REMEDY)
        self.accesses.append(access)
        return True

    def _note(self, access: Access, text: str) -> None:
        note = f"{self._names[access.base]}: {text}"
        if note not in self.notes:
            self.notes.append(note)


def _obstacle(access: Access, other: Attribute | None) -> str | None:
    shape = access.buffer.get_shape()
    strides = strides_of(access.buffer, access.op)
    kind = element(access.buffer.element_type)
    width = kind.byte_width
    block = block_shape(access)
    if width not in _BYTES or kind.name == "i1":
        return f"elements of type {kind.name} have none"
    if len(shape) > MAX_RANK:
        return f"the buffer has {len(shape)} dimensions, at most {MAX_RANK} are legal"
    if 0 in shape:
        return "the buffer is empty"
    if max(shape, default=0) > MAX_I32:
        return f"an extent of {max(shape)} does not fit into 32 bits"
    if strides[-1] != 1:
        return f"the innermost stride is {strides[-1]}, not 1"
    for stride in strides[:-1]:
        # The launcher checks the strides that are known only at run time.
        if stride is not None and stride * width % WIDE_LOAD:
            return (
                f"rows lie {stride * width} bytes apart, which is no multiple of "
                f"{WIDE_LOAD}"
            )
    if block[-1] * width < WIDE_LOAD:
        return (
            f"the innermost block is {block[-1] * width} bytes wide, at least "
            f"{WIDE_LOAD} are needed"
        )
    for size in block:
        if size > _MAX_BLOCK:
            return f"a block extent of {size} exceeds {_MAX_BLOCK}"
    for lane in range(len(access.shape)):
        if lane not in access.lanes:
            return "the tile repeats elements along a dimension"
    if any(step != 1 for step in access.steps):
        return f"the tile takes elements in steps of {max(access.steps)}"
    if access.mask is not None:
        return "its mask is not a box"
    for bound in access.bounds:
        dim = bound.dim
        limit = access.limit_in_base(bound)
        # Without the buffer's other sizes, its strides are known only at run time.
        is_window = limit.is_constant and DYNAMIC_INDEX not in shape
        if limit != access.sizes[dim] and not is_window:
            end = f" ({shape[dim]})" if access.sizes[dim].is_constant else ""
            return (
                f"the mask along dimension {dim} ends neither with the buffer{end} nor "
                "at a known place"
            )
    is_load = isinstance(access.op, vector.TransferReadOp)
    if is_load and access.bounds and not _is_zero(other):
        return "masked lanes read something other than zero"
    return None


def _is_left_operand(access: Access) -> bool:
    """Whether a matmul takes a loaded tile from the left."""
    op = access.op
    if not isinstance(op, vector.TransferReadOp):
        return False
    users = (use.operation for use in op.result.uses)
    return any(isinstance(u, vector.ContractOp) and u.lhs is op.result for u in users)


def _split_block(access: Access) -> str | None:
    """Why Triton would keep a block in registers, and not in shared memory."""
    lanes = access.flattened().lanes
    first = next((i for i, lane in enumerate(lanes) if lane is not None), len(lanes))
    if None not in lanes[first:]:
        return None
    return "a left operand whose block has single indices in between is in registers"


def _is_zero(other: Attribute | None) -> bool:
    if other is None:
        return True
    if isinstance(other, FloatAttr):
        return other.value.data == 0.0 and str(other.value.data)[0] != "-"
    return isinstance(other, IntegerAttr) and other.value.data == 0
