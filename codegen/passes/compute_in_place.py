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
the part has other readers, its rows begin at multiples of 16 bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from tilewright.codegen.analysis.buffer_uses import BufferUses, LaunchOrder, uses_of
from tilewright.codegen.analysis.reshapes import Reshape, memory_of
from tilewright.codegen.analysis.views import buffer_type
from tilewright.codegen.analysis.windows import (
    Placed,
    Window,
    are_disjoint,
    placed,
    reshaped,
    through_reshape,
    window_of,
)
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.memref import CopyOp, groups_of, layout_of
from tilewright.ir.dialects.memref.layouts import Layout, strided
from tilewright.ir.dialects.memref.reshapes import collapsed_type, expanded_type
from tilewright.ir.dialects.memref.subview import windowed
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dtypes import byte_width

_ACCESS = 16
"""The bytes of the widest access of a thread."""


def compute_in_place(module: ModuleOp) -> ModuleOp:
    """Remove such copies, in a copy of the module if there are any."""
    if not any(_plans(module)):
        return module
    module = module.clone()
    while (plan := next(_plans(module), None)) is not None:
        _rewrite(plan)
    return module


@dataclass(frozen=True)
class _Plan:
    """A copy, the buffer that it copies, and where that buffer lies in the other."""

    copy: CopyOp
    part: memref.AllocOp
    whole: memref.AllocOp
    places: dict[SSAValue, tuple[Window, Placed]]
    """The place of the part, and of its reshapes outside of the grids."""
    types: dict[SSAValue, MemRefType[Attribute]]
    """The types of the views of those."""


def _plans(module: ModuleOp) -> Iterator[_Plan]:
    for function in module.walk():
        if not isinstance(function, func.FuncOp) or function.is_declaration:
            continue
        block = function.body.block
        order: LaunchOrder | None = None
        # The last copies first: their parts are joined of parts themselves.
        for op in reversed(list(block.ops)):
            if isinstance(op, CopyOp):
                order = order or LaunchOrder(block)
                if (plan := _analyze(op, order)) is not None:
                    yield plan


def _analyze(copy: CopyOp, order: LaunchOrder) -> _Plan | None:
    """The plan for a copy; None where it has to stay."""
    part, whole = memory_of(copy.source).owner, _base(copy.target).owner
    if not isinstance(part, memref.AllocOp) or not isinstance(whole, memref.AllocOp):
        return None
    if part is whole or any(op.parent is not order.block for op in (part, whole)):
        return None
    if part.dynamic_sizes or whole.dynamic_sizes:
        return None
    target = window_of(copy.target)
    mine, its = uses_of(part.memref, order.block), uses_of(whole.memref, order.block)
    if target is None or not mine.is_known or mine.is_returned or not its.is_known:
        return None
    if not _is_free(copy, target, mine, its, order):
        return None
    places = _places(copy, part, whole, target, mine)
    if places is None:
        return None
    readers = [op for op, _ in mine.reads if op is not copy]
    if readers and not _is_aligned(places[part.memref][0], part):
        return None
    types: dict[SSAValue, MemRefType[Attribute]] = {}
    for value, (window, _) in places.items():
        of = strided(
            buffer_type(value), window.sizes, Layout(window.strides, window.offset)
        )
        if not _retyped(value, of, types, places):
            return None
    return _Plan(copy, part, whole, places, types)


def _base(value: SSAValue) -> SSAValue:
    """The buffer behind views."""
    while isinstance(value.owner, Reshape | memref.SubviewOp | memref.CastOp):
        value = value.owner.operands[0]
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
            window = window_of(view)
            if op is copy or (window is not None and are_disjoint(window, target)):
                continue
            if first <= when <= at or (is_write and when > at and last >= when):
                return False
    # A kernel may update a tile in place, but it does not read one part of a buffer
    # and write another.
    reads = {order.of(op) for op, _ in its.reads if op.parent is not order.block}
    writes = {order.of(op) for op, _ in its.writes if op.parent is not order.block}
    return not (read & writes or written & reads)


def _places(
    copy: CopyOp,
    part: memref.AllocOp,
    whole: memref.AllocOp,
    target: Window,
    uses: BufferUses,
) -> dict[SSAValue, tuple[Window, Placed]] | None:
    """Where the part and its reshapes lie; None if one of them is no slice."""
    window: Window | None = target
    value = copy.source
    while value is not part.memref:
        owner = value.owner
        if not isinstance(owner, Reshape) or window is None:
            return None
        window, value = through_reshape(owner, window), owner.src
    windows: dict[SSAValue, Window | None] = {part.memref: window}
    for op in uses.reshapes:
        source = windows.get(op.src)
        windows[op.result] = None if source is None else reshaped(op, source)
    elements = math.prod(buffer_type(whole.memref).get_shape())
    found: dict[SSAValue, tuple[Window, Placed]] = {}
    for each, its in windows.items():
        if each is not part.memref and _is_only_copied(each, copy):
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


def _is_aligned(window: Window, part: memref.AllocOp) -> bool:
    width = byte_width(buffer_type(part.memref))
    outer = [window.strides[dim] for dim in window.long_dims[:-1]]
    return all(step * width % _ACCESS == 0 for step in (*outer, window.offset))


def _retyped(
    value: SSAValue,
    of: MemRefType[Attribute],
    types: dict[SSAValue, MemRefType[Attribute]],
    places: dict[SSAValue, tuple[Window, Placed]],
) -> bool:
    """Note the types of views of a value of another type; whether there are such."""
    types[value] = of
    layout = layout_of(of)
    assert layout is not None
    for use in value.uses:
        op = use.operation
        match op:
            case memref.SubviewOp():
                made = _subview_type(op, of, layout)
            case memref.ExpandShapeOp() | memref.CollapseShapeOp():
                if op.result in places or isinstance(op.parent_op(), func.FuncOp):
                    continue
                made = _reshaped_type(op, of)
            case _:
                continue
        if made is None or not _retyped(op.results[0], made, types, places):
            return False
    return True


def _subview_type(
    op: memref.SubviewOp, of: MemRefType[Attribute], layout: Layout
) -> MemRefType[Attribute] | None:
    offsets, strides = (
        [entry if isinstance(entry, int) else None for entry in entries]
        for entries in (
            mixed(op.static_offsets, op.offsets),
            mixed(op.static_strides, op.strides),
        )
    )
    window = windowed(layout, offsets, strides)
    old = buffer_type(op.source), buffer_type(op.result)
    before, after = layout_of(old[0]), layout_of(old[1])
    assert before is not None and after is not None
    if len(old[0].get_shape()) == len(old[1].get_shape()):
        kept = list(range(len(window.strides)))
    else:
        sizes = mixed(op.static_sizes, op.sizes)
        dropped = len(sizes) - len(old[1].get_shape())
        units = [dim for dim, size in enumerate(sizes) if size == 1]
        if len(units) != dropped:
            return None  # Which of them are dropped, the strides do not always tell.
        kept = [dim for dim in range(len(sizes)) if dim not in units]
    sizes_after = [None if size < 0 else size for size in old[1].get_shape()]
    return strided(
        of, sizes_after, Layout(tuple(window.strides[d] for d in kept), window.offset)
    )


def _reshaped_type(
    op: Reshape, of: MemRefType[Attribute]
) -> MemRefType[Attribute] | None:
    groups = groups_of(op.reassociation)
    infer = expanded_type if isinstance(op, memref.ExpandShapeOp) else collapsed_type
    try:
        return infer(of, buffer_type(op.result), groups)
    except VerifyException:
        return None


def _rewrite(plan: _Plan) -> None:
    """Put the views of the whole buffer in the place of the part."""
    block = plan.part.parent
    assert block is not None
    if not plan.whole.is_before_in_block(plan.part):
        plan.whole.detach()
        block.insert_op_before(plan.whole, plan.part)
    for value, of in plan.types.items():
        if value not in plan.places:
            Rewriter.replace_value_with_new_type(value, of)
    seen: dict[tuple[int, ...], SSAValue] = {}
    for value, (window, place) in plan.places.items():
        made = [] if place.shape in seen else _in_shape(plan.whole.memref, place.shape)
        base = made[-1].results[0] if made else seen.get(place.shape, plan.whole.memref)
        seen[place.shape] = base
        view = memref.SubviewOp.get(
            base, place.starts, window.sizes, [1] * len(window.sizes), plan.types[value]
        )
        view.result.name_hint = value.name_hint
        for op in (*made, view):
            op.location = plan.part.location
            block.insert_op_before(op, plan.part)
        value.replace_all_uses_with(view.result)
    copied = plan.copy.source
    plan.copy.detach()
    plan.copy.erase()
    _erase_dead(plan.part.memref, block)
    while isinstance(copied.owner, Operation) and not copied.uses:
        owner = copied.owner
        if not isinstance(owner, Reshape | memref.SubviewOp):
            break
        copied = owner.operands[0]
        owner.detach()
        owner.erase()
    _erase_dead(plan.part.memref, block)


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


def _in_shape(whole: SSAValue, shape: tuple[int, ...]) -> list[Operation]:
    """The ops that see a whole buffer in another shape."""
    of = buffer_type(whole)
    made: list[Operation] = []
    if of.get_shape() == shape:
        return made
    elements = math.prod(shape)
    value = whole
    if len(of.get_shape()) > 1:
        flat = memref.CollapseShapeOp.build(
            operands=[value],
            result_types=[MemRefType(of.element_type, [elements])],
            properties={"reassociation": _one_group(len(of.get_shape()))},
        )
        made.append(flat)
        value = flat.result
    if len(shape) > 1:
        made.append(
            memref.ExpandShapeOp.build(
                operands=[value, []],
                result_types=[MemRefType(of.element_type, shape)],
                properties={
                    "reassociation": _one_group(len(shape)),
                    "static_output_shape": DenseArrayBase.from_list(i64, shape),
                },
            )
        )
    return made


def _one_group(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr([ArrayAttr([IntegerAttr(dim, i64) for dim in range(rank)])])
