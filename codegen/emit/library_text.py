"""The Python text of a library call: a function of torch, views, keywords."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import LibraryOp, RecordOp, WaitOp

_ADDING = {"mm": "addmm", "bmm": "baddbmm", "mv": "addmv"}
"""The calls that add a tensor to the product."""
_ACTIVATED = {"relu": "torch._addmm_activation", "gelu_tanh": "_addmm_gelu"}
"""The calls that add a row to the product and apply an activation."""

Text = tuple[str, list[str], list[tuple[str, str]]]
"""The function, its operands, and its keywords."""


def library_text(
    call: LibraryCall, names: Mapping[SSAValue, str], *, adds_to_output: bool
) -> Text:
    """A call of torch; `names` are the launcher's names of its buffers."""
    out = view_text(call.output, names)
    operands = [view_text(view, names) for view in call.operands]
    keywords = [("out", out)]
    if call.dimension is not None:
        return f"torch.{call.function}", [*operands, str(call.dimension)], keywords
    if call.function == "scaled_mm":
        scales = ["None" if s is None else view_text(s, names) for s in call.scales]
        return "_scaled_mm", [*operands, *scales], keywords
    if call.function == "padded_mm":
        return "_padded_mm", operands, keywords
    function = f"torch.{call.function}"
    numbers = [("beta", call.beta), ("alpha", call.alpha)]
    if call.added is not None:
        added = view_text(call.added, names)
    elif adds_to_output:
        added = out
    elif call.alpha != 1.0:
        # torch.mm takes no number. With beta = 0 torch does not read what it adds.
        added, numbers[0] = out, ("beta", 0.0)
    else:
        added = None
    if added is not None:
        function = f"torch.{_ADDING[call.function]}"
        operands = [added, *operands]
    if call.activation is not None:
        function = _ACTIVATED[call.activation]
    keywords = [
        *((name, repr(number)) for name, number in numbers if number != 1.0),
        *keywords,
    ]
    if call.wide:
        return "_wide", [function, *operands], keywords
    return function, operands, keywords


def returned_outputs(block: Block) -> set[SSAValue]:
    """The buffers of a launcher that library calls can allocate themselves.

    Such a call is the first op that uses the buffer, writes all of it, and gives a
    contiguous tensor of the buffer's shape and type. On several streams, buffers are
    allocated before the first launch.
    """
    if any(isinstance(op, RecordOp | WaitOp) for op in block.ops):
        return set()
    found: set[SSAValue] = set()
    used: set[SSAValue] = set()
    for op in block.ops:
        if isinstance(op, LibraryOp) and (output := _returned_by(op)) is not None:
            if output not in used:
                found.add(output)
        used |= {value for inner in op.walk() for value in inner.operands}
    return found


def _returned_by(op: LibraryOp) -> SSAValue | None:
    """The allocation that a call could replace by its result."""
    call = stored_call(op)
    if not isinstance(call, LibraryCall) or call.wide or call.function == "scaled_mm":
        return None
    start = None if op.fill is None else constant_of(op.fill.inputs[0])
    starts_from_zero = start is not None and start.value.data == 0
    is_scaled = call.added is None and call.alpha != 1.0
    if call.dimension is None and (not starts_from_zero or is_scaled):
        return None
    is_plain = call.output.dims == tuple((dim,) for dim in range(len(call.output.dims)))
    is_new = isinstance(call.output.value.owner, memref.AllocOp)
    return call.output.value if is_plain and is_new else None


def view_text(view: CallOperand, names: Mapping[SSAValue, str]) -> str:
    """`a`, `a.mT`, `a.flatten(0, 1)`, `a[:, None]`."""
    text = names[view.value]
    in_memory = sorted(group for group in view.dims if group)
    for position in reversed(range(len(in_memory))):
        group = in_memory[position]
        if len(group) > 1:
            text += f".flatten({group[0]}, {group[-1]})"
    if view.swapped:
        text += ".mT"
    if () in view.dims:
        entries = ", ".join(":" if group else "None" for group in view.dims)
        text += f"[{entries}]"
    return text
