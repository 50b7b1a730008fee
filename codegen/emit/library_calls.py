"""Library calls of a launch plan: a function of torch, views of buffers, keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.codegen.launches.plan import (
    CallLibrary,
    Fill,
    Index,
    Method,
    Operand,
    Step,
)
from tilewright.codegen.source.python_text import Expression, Group, Literal
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import LibraryOp, RecordOp, WaitOp
from tilewright.ir.structured.convolutions import Convolution, OrderedOperand
from tilewright.ir.text import place_of

_ADDING = {"mm": "addmm", "bmm": "baddbmm", "mv": "addmv"}
"""The calls that add a tensor to the product."""
_ACTIVATED = {"relu": "torch._addmm_activation", "gelu_tanh": "_addmm_gelu"}
"""The calls that add a row to the product and apply an activation."""

Operands = Mapping[SSAValue, Operand]
Keywords = tuple[tuple[str, Expression], ...]


def library_call(
    op: LibraryOp, operands: Operands, returned: set[SSAValue]
) -> list[Step]:
    """The steps of a call; `returned` are the buffers that calls make themselves."""
    call = stored_call(op)
    fill = None if op.fill is None else constant_of(op.fill.inputs[0])
    start = None if fill is None else fill.value.data
    buffer = operands[call.output.value].buffer
    computes = tuple(place for one in op.called if (place := place_of(one)) is not None)
    steps: list[Step] = []
    adds = False
    if isinstance(call, Convolution):
        function = "_convolve"
        arguments = tuple(_permuted(one, operands) for one in (call.image, call.filter))
        pairs = (("stride", call.strides), ("dilation", call.dilations))
        keywords: Keywords = tuple((name, _tuple(pair)) for name, pair in pairs)
        output = _permuted(call.output, operands)
        starts_from_zero, adds = start == 0, start != 0
    else:
        starts_from_zero = start == 0 or call.dimension is not None
        function, arguments, keywords = _product(
            call, operands, adds_to_output=not starts_from_zero
        )
        output = _view(call.output, operands)
    if start is not None and not starts_from_zero:
        steps.append(Fill(buffer, start))
    returns = call.output.value in returned
    place = place_of(op)
    steps.append(
        CallLibrary(
            function, arguments, keywords, output, returns, adds, place, computes
        )
    )
    return steps


def _product(
    call: LibraryCall, operands: Operands, *, adds_to_output: bool
) -> tuple[str, tuple[Expression, ...], Keywords]:
    """The function of a product or a softmax, its operands, and its numbers."""
    given = tuple(_view(view, operands) for view in call.operands)
    if call.dimension is not None:
        return f"torch.{call.function}", (*given, Literal(str(call.dimension))), ()
    if call.function == "scaled_mm":
        none = Literal("None")
        scales = (none if s is None else _view(s, operands) for s in call.scales)
        return "_scaled_mm", (*given, *scales), ()
    if call.function == "padded_mm":
        return "_padded_mm", given, ()
    function = f"torch.{call.function}"
    numbers = [("beta", call.beta), ("alpha", call.alpha)]
    added = None
    if call.added is not None:
        added = _view(call.added, operands)
    elif adds_to_output:
        added = _view(call.output, operands)
    elif call.alpha != 1.0:
        # torch.mm takes no number. With beta = 0 torch does not read what it adds.
        added, numbers[0] = _view(call.output, operands), ("beta", 0.0)
    if added is not None:
        function = f"torch.{_ADDING[call.function]}"
        given = (added, *given)
    if call.activation is not None:
        function = _ACTIVATED[call.activation]
    keywords = tuple((name, Literal(repr(n))) for name, n in numbers if n != 1.0)
    if call.wide:
        return "_wide", (Literal(function), *given), keywords
    return function, given, keywords


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


def window(
    operand: Operand, ranges: Sequence[slice | int], shape: Sequence[int]
) -> Operand:
    """A window of a buffer: `x[8:16, :, 3]`, without the last dimensions if whole."""
    parts: list[tuple[int, ...] | int | None] = []
    for part, size in zip(ranges, shape, strict=True):
        if isinstance(part, int):
            parts.append(part)
        else:
            is_whole = (part.start, part.stop) == (0, size)
            parts.append(() if is_whole else (part.start, part.stop))
    while parts and parts[-1] == ():
        parts.pop()
    return _viewed(operand, Index(tuple(parts))) if parts else operand


def _view(view: CallOperand, operands: Operands) -> Operand:
    """`a`, `a.mT`, `a.flatten(0, 1)`, `a[:, None]`."""
    made = operands[view.value]
    in_memory = sorted(group for group in view.dims if group)
    for group in reversed(in_memory):
        if len(group) > 1:
            made = _viewed(made, Method("flatten", (group[0], group[-1])))
    if view.swapped:
        made = _viewed(made, Method("mT"))
    if () in view.dims:
        parts = tuple(() if group else None for group in view.dims)
        made = _viewed(made, Index(parts))
    return made


def _permuted(view: OrderedOperand, operands: Operands) -> Operand:
    """A buffer with its dimensions in another order."""
    made = operands[view.value]
    if view.order == tuple(range(len(view.order))):
        return made
    return _viewed(made, Method("permute", tuple(view.order)))


def _viewed(operand: Operand, view: Method | Index) -> Operand:
    return Operand(operand.buffer, (*operand.views, view))


def _tuple(numbers: Sequence[int]) -> Group:
    return Group(tuple(Literal(str(number)) for number in numbers), "()")
