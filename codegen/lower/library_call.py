"""Library calls of the launcher: the ops that they compute, and their buffers."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.reshapes import without_casts
from tilewright.codegen.analysis.libraries.groups import LibraryGroup
from tilewright.codegen.analysis.libraries.stored_calls import store_call
from tilewright.codegen.lower.called_windows import called_window, window_op
from tilewright.codegen.lower.launcher_block import LauncherBlock
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, memref
from tilewright.ir.dialects.kernel import LibraryOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.launch_attributes.table import LIBRARY
from tilewright.ir.structured.bodies import captured_values
from tilewright.ir.types import buffer_type


def lower_library_call(group: LibraryGroup, launcher: LauncherBlock) -> None:
    """Add the call of a group to the launcher."""
    op, product, fill = group.op, group.product, group.fill
    called = [op] if product is None else [product, op]
    # A softmax has no body.
    bodies = [each for each in called if isinstance(each, StructuredOp)]
    buffers = [value for each in called for value in each.operands]
    mapper: dict[SSAValue, SSAValue] = {}
    ops: list[Operation] = []
    if product is not None:
        # No kernel and no call writes this buffer; it says what the call computes.
        old = without_casts(product.outputs[0])
        made = memref.AllocOp(launcher.open_sizes(old), [], buffer_type(old))
        made.memref.name_hint = "product"
        mapper |= dict.fromkeys((old, product.outputs[0]), made.memref)
        ops.append(made)
    for value in buffers:
        if _is_buffer(value) and value not in mapper:
            mapper[value] = _called(value, group, launcher)
    output = op.operands[-1]
    if group.needs_output:
        renewed = launcher.renewed(without_casts(output), op)
    else:
        # Of f32, the product and the op after it may share one buffer.
        renewed = launcher.buffer(output, op)
    if fill is not None:
        constant = constant_of(fill.inputs[0])
        if constant is None:
            refuse(fill, "fills with a number that is no constant")
        number = arith.ConstantOp(constant)
        launcher.add(number, fill)
        start = renewed if product is None else mapper[product.outputs[0]]
        filled = {fill.inputs[0]: number.result, fill.outputs[0]: start}
        ops.append(fill.clone(filled))
    for each in bodies:
        for value in captured_values(each):
            if value not in mapper:
                mapper[value] = _captured(value, each, launcher)
    ops += [each.clone(mapper) for each in called]
    ops[-1].operands[len(op.operands) - 1] = renewed
    for inner in ops:
        inner.attributes.pop(LIBRARY, None)
    call = LibraryOp(group.library, ops)
    store_call(call, group.call, buffers)
    launcher.add(call, op)


def _called(value: SSAValue, group: LibraryGroup, launcher: LauncherBlock) -> SSAValue:
    """A buffer that a call reads or writes, or a window of one that it reads."""
    window = called_window(value, group.call, launcher.indices)
    if window is None:
        return launcher.buffer(value, group.op)
    made = window_op(window, launcher.buffer(window.base, group.op), value)
    launcher.add(made, group.op)
    return made.result


def _captured(value: SSAValue, op: Operation, launcher: LauncherBlock) -> SSAValue:
    """A constant that the body of an op reads, in the launcher."""
    if not isinstance(value.owner, arith.ConstantOp):
        refuse(op, "reads a number from outside that is no constant")
    made = value.owner.clone()
    launcher.add(made, op)
    return made.results[0]


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)
