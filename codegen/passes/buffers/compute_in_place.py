"""Compute a part of a buffer where it belongs, instead of copying it there.

**Before** (buffer level)

    %a = memref.alloc() : memref<8x16xf32>
    scf.forall ... { ... vector.transfer_write ... %a ... }
    %whole = memref.alloc() : memref<8x64xf32>
    %part = memref.subview %whole[0, 16] [8, 16] [1, 1] : ...
    memref.copy %a, %part

**After**: `%whole` is allocated first, the grid writes into `%part`, and the copy is
gone. Concatenations have such copies where one-shot bufferization cannot place a part:
one grid computes several of them, or a part is read by others, too.

Kernels see slices of whole buffers. So the whole buffer is reshaped where the part has
another shape than the slice: a part of 4096 elements that is copied as 64 x 64.

**Requires** static sizes. No op between the first write of the part and the copy
accesses its place. Nothing writes to the part after the copy, and no kernel reads and
writes the whole buffer. A library writes whole buffers only: its results are copied. If
the part has other readers, none gathers from it: gathers count the elements of whole
buffers. They may gather from the whole buffer. If the part is large, too, its elements
stay neighbours, and its rows begin at multiples of 16 bytes. Without readers, the
columns of a stack lie in steps: the copy would store them so as well. Copies read no
such columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tilewright.codegen.analysis.buffer_uses import BufferUses, LaunchOrder, uses_of
from tilewright.codegen.analysis.elements.reshapes import Reshape, base_of, memory_of
from tilewright.codegen.analysis.slices import (
    Types,
    retyped,
    slice_ops,
    slice_type,
)
from tilewright.codegen.analysis.windows import (
    Placed,
    Window,
    are_disjoint,
    placed,
    reshaped,
    through_reshape,
    window_of,
)
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import GatherOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.launch_attributes.table import DESCRIPTORS, WHERE_LEGAL
from tilewright.ir.types import buffer_type

_SMALL = 256 * 1024
"""The bytes of a part that others read element by element in less time than a copy."""


def compute_in_place(module: ModuleOp) -> ModuleOp:
    """Remove such copies, in a copy of the module if there are any."""
    if not any(_plans(module)):
        return module
    module = module.clone()
    changes = True
    while changes:  # a rewrite may let a copy go that had to stay before
        changes = False
        for plan in _plans(module):
            _rewrite(plan)
            changes = True
    return module


@dataclass(frozen=True)
class _Plan:
    """A copy, the buffer that it copies, and where that buffer lies in the other."""

    copy: CopyOp
    part: SSAValue
    whole: memref.AllocOp
    places: dict[SSAValue, tuple[Window, Placed]]
    """The place of the part, and of its reshapes outside of the grids."""
    types: Types
    """The types of the views of those."""
    grids: set[ForallOp]
    """The grids that access the part."""


def _plans(module: ModuleOp) -> Iterator[_Plan]:
    """The plan for each copy that can go, after the plans before it are carried out.

    A rewrite keeps the order of the launches and of the other copies.
    """
    for function in list(module.walk()):
        if not isinstance(function, func.FuncOp) or function.is_declaration:
            continue
        block = function.body.block
        # The last copies first: their parts are joined of parts themselves.
        copies = [op for op in reversed(list(block.ops)) if isinstance(op, CopyOp)]
        order = LaunchOrder(block) if copies else None
        # What other kernels read comes last: once it is in the whole buffer, they
        # cannot write their own parts there.
        for op in sorted(copies, key=_is_read_by_kernels):
            if order is not None and (plan := _analyze(op, order)) is not None:
                yield plan


def _is_read_by_kernels(copy: CopyOp) -> bool:
    """Whether something besides copies reads what a copy copies."""
    block = copy.parent
    assert block is not None
    reads = uses_of(memory_of(copy.source), block).reads
    return any(not isinstance(op, CopyOp) for op, _ in reads)


def _analyze(copy: CopyOp, order: LaunchOrder) -> _Plan | None:
    """The plan for a copy; None where it has to stay."""
    part = memory_of(copy.source)
    own, whole = _only_view_of(part).owner, base_of(copy.target).owner
    if not isinstance(own, memref.AllocOp) or not isinstance(whole, memref.AllocOp):
        return None
    if own is whole or any(op.parent is not order.block for op in (own, whole)):
        return None
    if own.dynamic_sizes or whole.dynamic_sizes:
        return None
    target = window_of(copy.target)
    mine, its = uses_of(part, order.block), uses_of(whole.memref, order.block)
    if target is None or not mine.is_known or not its.is_known:
        return None
    if mine.is_returned or mine.is_called:
        return None
    if not _is_free(copy, target, mine, its, order):
        return None
    places = _places(copy, part, whole, target, mine)
    if places is None:
        return None
    readers = [op for op, _ in mine.reads if op is not copy]
    if readers and not _is_well_read(part, *places[part]):
        return None
    if any(isinstance(op, GatherOp) for op in readers):
        return None
    in_steps = any(place.has_gaps for _, place in places.values())
    if in_steps and any(isinstance(op, CopyOp) for op in readers):
        return None
    types: Types = {}
    replaced = {part, *(op.result for op in mine.reshapes)}
    for value, (window, _) in places.items():
        if not retyped(value, slice_type(value, window), types, replaced):
            return None
    around = (_grid(op) for op, _ in (*mine.reads, *mine.writes))
    grids = {grid for grid in around if grid is not None}
    return _Plan(copy, part, whole, places, types, grids)


def _grid(op: Operation) -> ForallOp | None:
    """The outermost grid around an op."""
    grid: ForallOp | None = None
    around = op.parent_op()
    while around is not None:
        grid = around if isinstance(around, ForallOp) else grid
        around = around.parent_op()
    return grid


def _only_view_of(value: SSAValue) -> SSAValue:
    """The buffer that a view is the only use of; else the value itself."""
    owner = value.owner
    if isinstance(owner, memref.SubviewOp) and owner.source.uses.get_length() == 1:
        return owner.source
    return value


def _is_free(
    copy: CopyOp, target: Window, mine: BufferUses, its: BufferUses, order: LaunchOrder
) -> bool:
    """Whether the part may be in its place from its first write on."""
    at = order.of(copy)
    written = {order.of(op) for op, _ in mine.writes}
    read = {order.of(op) for op, _ in mine.reads if op is not copy}
    if not written or max(written) >= at:
        return False
    first, last = min(written | read), max(written | read)
    for accesses, is_write in ((its.reads, False), (its.writes, True)):
        for op, view in accesses:
            when = order.of(op)
            is_later = is_write and at < when <= last
            if op is copy or not (first <= when <= at or is_later):
                continue
            window = window_of(view)
            if window is None or not are_disjoint(window, target):
                return False
    # A kernel may update a tile in place, but it does not read one part of a buffer
    # and write another.
    reads = {order.of(op) for op, _ in its.reads if op.parent is not order.block}
    writes = {order.of(op) for op, _ in its.writes if op.parent is not order.block}
    return not (read & writes or written & reads)


def _places(
    copy: CopyOp,
    part: SSAValue,
    whole: memref.AllocOp,
    target: Window,
    uses: BufferUses,
) -> dict[SSAValue, tuple[Window, Placed]] | None:
    """Where the part and its reshapes lie; None if one of them is no slice."""
    window: Window | None = target
    value = copy.source
    while value is not part:
        owner = value.owner
        if not isinstance(owner, Reshape) or window is None:
            return None
        window, value = through_reshape(owner, window), owner.src
    windows: dict[SSAValue, Window | None] = {part: window}
    for op in uses.reshapes:
        source = windows.get(op.src)
        windows[op.result] = None if source is None else reshaped(op, source)
    elements = math.prod(buffer_type(whole.memref).get_shape())
    found: dict[SSAValue, tuple[Window, Placed]] = {}
    for each, its in windows.items():
        if each is not part and _is_only_copied(each, copy):
            continue
        place = None if its is None else placed(its, elements)
        if its is None or place is None:
            return None
        found[each] = its, place
    return found


def _is_only_copied(value: SSAValue, copy: CopyOp) -> bool:
    """Whether nothing but the copy reads a reshape, or a reshape of it."""
    return all(
        use.operation is copy
        or (
            isinstance(use.operation, Reshape)
            and _is_only_copied(use.operation.result, copy)
        )
        for use in value.uses
    )


def _is_well_read(part: SSAValue, window: Window, place: Placed) -> bool:
    """Whether reading the part in its place takes no longer than a copy."""
    of = buffer_type(part)
    width = byte_width(of)
    if math.prod(of.get_shape()) * width <= _SMALL:
        return True
    outer = [window.strides[dim] for dim in window.long_dims[:-1]]
    starts = (*outer, window.offset)
    return not place.has_gaps and all(one * width % WIDE_LOAD == 0 for one in starts)


def _rewrite(plan: _Plan) -> None:
    """Put the views of the whole buffer in the place of the part."""
    first, buffer = plan.part.owner, _only_view_of(plan.part)
    assert isinstance(first, Operation)
    block = first.parent
    assert block is not None
    if not plan.whole.is_before_in_block(first):
        plan.whole.detach()
        block.insert_op_before(plan.whole, first)
    for grid in plan.grids:
        if DESCRIPTORS in grid.attributes:
            # The rows of a slice may begin at addresses that descriptors cannot have.
            grid.attributes[DESCRIPTORS] = StringAttr(WHERE_LEGAL)
    for value, of in plan.types.items():
        if value not in plan.places:
            Rewriter.replace_value_with_new_type(value, of)
    for value, (window, place) in plan.places.items():
        made = slice_ops(plan.whole.memref, window, place, plan.types[value])
        view = made[-1].results[0]
        view.name_hint = value.name_hint
        for op in made:
            op.location = first.location
            block.insert_op_before(op, first)
        value.replace_all_uses_with(view)
    copied = plan.copy.source
    plan.copy.detach()
    plan.copy.erase()
    while isinstance(copied.owner, Operation) and not copied.uses:
        owner = copied.owner
        if not isinstance(owner, Reshape | memref.SubviewOp):
            break
        copied = owner.operands[0]
        owner.detach()
        owner.erase()
    _erase_dead(buffer, block)


def _erase_dead(value: SSAValue, block: Block) -> None:
    """Erase the views of a value that nothing uses, and then itself."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not block:
        return
    for use in list(value.uses):
        if isinstance(use.operation, Reshape | memref.SubviewOp):
            _erase_dead(use.operation.results[0], block)
    if not value.uses:
        owner.detach()
        owner.erase()
