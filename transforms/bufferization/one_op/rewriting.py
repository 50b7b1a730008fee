"""Rewrite one op on buffers, by the model that bufferization has of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import func, memref, tensor, vector
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_types import subview_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.global_constants import Globals
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.one_op.allocation import (
    NewOps,
    Options,
    allocate,
    buffer_of,
    copy_into,
    own_tensor,
)
from tilewright.transforms.bufferization.op_model import Operand, tensor_operands
from tilewright.transforms.bufferization.op_table import model_of
from tilewright.transforms.bufferization.tensor_facts import Facts, touches_tensors
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import Extent, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.destinations.destination_passing_style import (
    fill_padding,
    padded_sizes,
    sizes_in_type,
)

Made = tuple[SSAValue, Sequence[Operation]]
"""The new buffer, and all new ops."""
Rewrite = Callable[[Rewriter], Made]


def plan(user: TransformOp, op: Operation, options: Options) -> Rewrite:
    """The rewrite of an op, or a refusal."""
    match op:
        case tensor.PadOp():
            return partial(_pad, op, options)
        case AllocTensorOp() if op.copy is None:
            return partial(_alloc_tensor, op, options)
        case _:
            pass
    inner = op.masked_op if isinstance(op, vector.MaskOp) else op
    if inner is None or not _is_simple(inner):
        raise user.refuse(f"'{op.name}' cannot be bufferized on its own", op)
    facts = _facts(op)
    written = _destinations(inner, facts)
    if len(written) != 1:
        raise user.refuse(
            f"'{op.name}' has {len(written)} operands that would need a buffer",
            op,
            "only ops with one destination can be bufferized on their own",
        )
    return partial(_destination, op, written[0], facts, options)


def _is_simple(op: Operation) -> bool:
    """Whether an op bufferizes, and contains no op that does."""
    if (model := model_of(op)) is None or model.obstacle(op) is not None:
        return False
    if isinstance(op, func.FuncOp | func.CallOp) or model.YIELDS:
        return False
    nested = [inner for inner in op.walk() if inner is not op]
    return not any(map(touches_tensors, nested)) and (
        not op.regions or isinstance(op, StructuredOp)
    )


def _facts(op: Operation) -> Facts:
    function = op.parent_op()
    while not isinstance(function, func.FuncOp):
        assert function is not None, "payload lies in a function"
        function = function.parent_op()
    return Facts(function, model_of)


def _destinations(op: Operation, facts: Facts) -> list[Operand]:
    model = model_of(op)
    assert model is not None
    return [
        operand
        for operand in tensor_operands(op)
        if model.writes(operand, facts) or model.aliases(operand, facts)
    ]


class _InPlace(Analysis):
    """The decision that all operands of one op are in place: they have buffers."""

    def __init__(self, op: Operation, facts: Facts):
        self.facts = facts
        self.in_place = set(tensor_operands(op))


def _pad(op: tensor.PadOp, options: Options, rewriter: Rewriter) -> Made:
    new = NewOps(rewriter)
    low = mixed(op.static_low, op.low)
    sizes = padded_sizes(op, new)
    buffer = allocate(op.result, sizes, op, options, new)
    if any(pad != 0 for pad in (*low, *mixed(op.static_high, op.high))):
        fill_padding(op, buffer, new)
    part = sizes_in_type(op.source, new)
    ones: list[Extent] = [1] * len(low)
    shape = tensor_type(op.source).get_shape()
    kind = subview_type(buffer, (low, part, ones), shape)
    window = new.add(memref.SubviewOp.get(buffer, low, part, ones, kind))
    copy_into(op.source, window, options, new)
    return _finish(op, buffer, buffer, new)


def _alloc_tensor(op: AllocTensorOp, options: Options, rewriter: Rewriter) -> Made:
    new = NewOps(rewriter)
    buffer = allocate(op.tensor, op.dynamic_sizes, op, options, new)
    return _finish(op, buffer, buffer, new)


def _destination(
    op: Operation,
    written: Operand,
    facts: Facts,
    options: Options,
    rewriter: Rewriter,
) -> Made:
    """Give the destination of an op, perhaps a masked one, a buffer."""
    new, value = NewOps(rewriter), written.value
    sizes = [
        new.index(dim_size(value, dim, new))
        for dim, size in enumerate(tensor_type(value).get_shape())
        if size == DYNAMIC_INDEX
    ]
    buffer = allocate(value, sizes, op, options, new)
    if facts.definitions(value):
        copy_into(value, buffer, options, new)
    if options.only_destination:
        own = new.add(own_tensor(buffer, value.type))
        new.put_before(op)
        rewriter.set_operand(written.op, written.index, own)
        return buffer, new.all
    new.put_before(op)
    result = _on_buffers(written, buffer, facts, new)
    return _finish(op, buffer, result, new)


def _on_buffers(
    written: Operand, buffer: SSAValue, facts: Facts, new: NewOps
) -> SSAValue:
    """Write an op on buffers; the buffer of its result."""
    op = written.op
    block = Block()
    to = Writer(_InPlace(op, facts), block, Globals(op), {}, None)
    for position, operand in enumerate(op.operands):
        if position == written.index:
            continue
        if is_tensor(operand.type) and operand not in to.values:
            operand_buffer = buffer_of(operand)
            new.add(operand_buffer)
            new.put_after(operand)
            to.values[operand] = operand_buffer.memref
        else:
            to.values.setdefault(operand, operand)
    to.values[written.value] = buffer
    facts.model(op).write(op, to)
    parent = op.parent_op()
    made = list(block.ops)
    for each in made:
        each.detach()
    if isinstance(parent, vector.MaskOp):
        masked = vector.MaskOp(parent.mask, made.pop(), None)
        made.append(masked)
        op = parent
    new.ops += made
    new.put_before(op)
    return to.values[written.op.results[0]]


def _finish(op: Operation, buffer: SSAValue, result: SSAValue, new: NewOps) -> Made:
    """Replace the op by the contents of its buffer."""
    for each in (*new.all, *new.ops):
        each.location = op.location
    contents = new.add(own_tensor(result, op.results[0].type))
    new.put_before(op)
    new.rewriter.replace(op, [contents])
    return buffer, new.all
