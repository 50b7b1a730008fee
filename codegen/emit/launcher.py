"""The launcher: a Python function that starts the kernels in order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i1
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.codegen.emit.constants import emit_constant
from tilewright.codegen.emit.library_text import library_text, returned_outputs
from tilewright.codegen.emit.sizes import SIZE_OPS, Sizes, message_lines
from tilewright.codegen.emit.window_text import subview_text, window_text
from tilewright.codegen.source import escape
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import (
    WIDTH,
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    explode,
    lay_out,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorType,
    FuncOp,
    LaunchOp,
    LibraryOp,
    RecordOp,
    RequireOp,
    WaitOp,
    shape_of,
)
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.structured.convolutions import Convolution

_MAKES_BUFFERS = (
    memref.AllocOp,
    memref.GetGlobalOp,
    memref.ViewOp,
    memref.ExpandShapeOp,
    memref.CollapseShapeOp,
    CountersOp,
)


class LauncherEmitter:
    """Writes the launcher, and collects the helpers it needs."""

    def __init__(self, function: func.FuncOp, kernels: dict[str, FuncOp]):
        self.function = function
        self.kernels = kernels
        self.names: dict[SSAValue, str] = {}
        self.lines: list[str] = []
        self.helpers: list[str] = []
        taken = {*kernels, *HELPERS, *HOST_HELPERS, function.sym_name.data, "_wait"}
        self._names = Names(taken)
        self._makers: dict[str, str] = {}
        """The function that makes each constant."""
        self._streams: dict[int, str] = {}
        self._returned: set[SSAValue] = set()
        """The buffers that a library call makes; they need no allocation."""
        block = self.function.body.block
        for argument in block.args:
            self._name(argument)
        tensors = [a for a in block.args if isinstance(a.type, MemRefType)]
        self.sizes = Sizes(function.body.block, self.names)
        self._has_tensors = bool(tensors)
        self._device = (
            f"{self.names[tensors[0]]}.device"
            if tensors
            else self._names.fresh("device")
        )

    def constant(self, op: memref.GlobalOp) -> list[str]:
        """The function that makes a constant."""
        of = op.type
        shape = "x".join([*map(str, of.get_shape()), element(of).name])
        name = self._names.fresh(f"constant_{shape}")
        self._makers[op.sym_name.data] = name
        return emit_constant(name, op)

    def emit(self) -> list[str]:
        """The launcher."""
        block = self.function.body.block
        for op in block.ops:
            is_size = isinstance(op, memref.DimOp) and op.result.name_hint
            if isinstance(op, _MAKES_BUFFERS) or is_size:
                self._name(op.results[0])
        parameters = tuple(Name(self.names[argument]) for argument in block.args)
        head = lay_out("def ", Call(self.function.sym_name.data, parameters), ":", 0)
        self._docstring()
        if not self._has_tensors:
            self._need("_device_here")
            self._text(f"{self._device} = _device_here()")
        self._name_streams()
        self._returned = returned_outputs(block)
        for op in block.ops:
            self._op(op)
        return [*head, *self.lines]

    def call_lines(self, op: LibraryOp) -> list[str]:
        """The lines of one library call, into buffers that exist; after `emit`."""
        before, self.lines = self.lines, []
        self._call(op)
        made, self.lines = self.lines, before
        return made

    def _name_streams(self) -> None:
        """Name the streams that events are recorded on or waited for."""
        ops = self.function.body.block.ops
        used = {op.stream.value.data for op in ops if isinstance(op, RecordOp | WaitOp)}
        for number in sorted(used):
            self._need("_stream")
            self._need("_record")
            name = self._names.fresh(f"stream{number}" if number else "stream")
            self._streams[number] = name
            self._text(f"{name} = _stream({self._device}, {number})")

    def _docstring(self) -> None:
        block = self.function.body.block
        terminator = block.last_op
        assert isinstance(terminator, func.ReturnOp)
        name = escape.docstring(self.function.sym_name.data)
        self._text(f'"""{name}, on contiguous tensors.')
        self.lines.append("")
        if block.args:
            self._text("Args:")
            for argument in block.args:
                self._text(f"    {self.names[argument]}: {self._described(argument)}")
            self.lines.append("")
        if terminator.operands:
            self._text("Returns:")
            for value in terminator.operands:
                self._text(f"    {self.names[value]}: {self._described(value)}")
        self._text('"""')

    def _op(self, op: Operation) -> None:
        match op:
            case memref.DimOp() if op.result in self.names:
                self._text(f"{self.names[op.result]} = {self.sizes.extent(op)}")
            case RequireOp():
                self._require(op)
            case memref.AllocOp():
                if op.memref not in self._returned:
                    self._alloc(op)
            case memref.GetGlobalOp():
                maker = self._makers[op.name_.string_value()]
                self._text(f"{self.names[op.memref]} = {maker}({self._device})")
            case memref.ViewOp():
                self._view(op)
            case memref.ExpandShapeOp() | memref.CollapseShapeOp():
                self._reshape(op)
            case memref.SubviewOp():
                # A window that a library reads, written where it is used.
                self.names[op.result] = subview_text(self.names[op.source], op)
            case CountersOp():
                self._need("_counters")
                (count,) = _shape(op.buffer.type)
                call = f"_counters({count}, {self._device})"
                self._text(f"{self.names[op.buffer]} = {call}")
            case _ if isinstance(op, SIZE_OPS):
                pass  # Written where it is used.
            case CopyOp():
                self._text(f"{self.names[op.target]}.copy_({self.names[op.source]})")
            case LaunchOp():
                self._launch(op)
            case CopyWindowOp():
                self._copy_window(op)
            case LibraryOp():
                self._call(op)
            case RecordOp():
                self._name(op.event)
                stream = self._streams[op.stream.value.data]
                self._text(f"{self.names[op.event]} = _record({stream})")
            case WaitOp():
                stream = self._streams[op.stream.value.data]
                self._text(f"_wait({stream}, {self.names[op.event]})")
            case func.ReturnOp():
                values = ", ".join(self.names[value] for value in op.operands)
                self._text(f"return {values}".rstrip())
            case _:
                raise AssertionError(f"no Python for {op.name}")

    def _alloc(self, op: memref.AllocOp) -> None:
        of = op.memref.type
        # Separate arguments for sizes: a tuple makes torch's call 50 % slower.
        sizes = tuple(self.sizes.of_alloc(op)) or (Group((), "()"),)
        dtype = Literal(TORCH_TYPES[element(of).name])
        keywords = (("dtype", dtype), ("device", Literal(self._device)))
        made = Call("torch.empty", sizes, keywords)
        self.lines += lay_out(f"{self.names[op.memref]} = ", made, "", 4)

    def _view(self, op: memref.ViewOp) -> None:
        """A temporary in memory that is shared with others."""
        of = op.result.type
        shape, dtype = _shape(of), TORCH_TYPES[element(of).name]
        source = self.names[op.source]
        size = math.prod(shape) * byte_width(of)
        sizes = ", ".join(map(str, shape)) or "()"
        view = f"{source}[:{size}].view({dtype}).view({sizes})"
        self._text(f"{self.names[op.result]} = {view}")

    def _reshape(self, op: Reshape) -> None:
        """The same elements in another shape; at most one size is left to torch."""
        of = op.result.type
        assert isinstance(of, MemRefType)
        shape = list(of.get_shape())
        sizes: list[str] = [str(size) for size in shape]
        unknown = [dim for dim, size in enumerate(shape) if size == DYNAMIC_INDEX]
        if len(unknown) == 1 and 0 not in shape:
            sizes[unknown[0]] = "-1"
        elif unknown:
            texts = map(str, self.sizes.shape(op.result))
            sizes = list(texts)
        view = f"{self.names[op.src]}.view({', '.join(sizes) or '()'})"
        self.lines += lay_out(f"{self.names[op.result]} = ", Literal(view), "", 4)

    def _launch(self, op: LaunchOp) -> None:
        kernel = self.kernels[op.kernel.string_value()]
        arguments: list[str] = []
        for buffer, parameter in zip(op.buffers, kernel.body.block.args, strict=False):
            name = self.names[buffer]
            if isinstance(parameter.type, DescriptorType):
                self._need("_descriptor")
                described = [str(_tuple(shape_of(parameter.type.block)))]
                if parameter.type.extents is not None:
                    described.append(str(_tuple(parameter.type.extents)))
                name = f"_descriptor({name}, {', '.join(described)})"
            arguments.append(name)
        for number in op.scalars:
            text = str(self.sizes.value(number))
            arguments.append(f"int({text})" if number.type == i1 else text)
        arguments += [f"{name}={value}" for name, value in kernel.sizes.items()]
        arguments.append(f"num_warps={op.num_warps.value.data}")
        arguments.append(f"num_stages={op.num_stages.value.data}")
        grid = self._grid(op)
        head = f"{kernel.sym_name.data}[{grid}]("
        if len(head) + 4 > WIDTH:
            name = self._names.fresh("grid")
            self.lines += lay_out(f"{name} = ", grid, "", 4)
            head = f"{kernel.sym_name.data}[{name}]("
        indent = 4
        if any(isinstance(a.type, DescriptorType) for a in kernel.body.block.args):
            # An empty tensor has no descriptor, and without tiles there is no launch.
            sizes = self.sizes.emptying(op.counts)
            if sizes:
                self._text(f"if {' and '.join(f'{size} > 0' for size in sizes)}:")
                indent += 4
        if op.stream is not None:
            stream = self._streams[op.stream.value.data]
            self.lines.append(f"{' ' * indent}with torch.cuda.stream({stream}):")
            indent += 4
        one_line = f"{' ' * indent}{head}{', '.join(arguments)})"
        if len(one_line) <= WIDTH:
            self.lines.append(one_line)
        else:
            self.lines += explode(head, arguments, ")", indent)

    def _copy_window(self, op: CopyWindowOp) -> None:
        """A copy of a window of one tensor to a window of another."""
        source, target = (
            window_text(self.names[buffer], window, _shape(buffer.type))
            for buffer, window in zip(op.operands, op.windows(), strict=True)
        )
        self._text(f"{target}.copy_({source})")

    def _call(self, op: LibraryOp) -> None:
        """A call of torch; a product that starts from zero overwrites its output."""
        call = stored_call(op)
        fill = None if op.fill is None else constant_of(op.fill.inputs[0])
        start = None if fill is None else fill.value.data
        if isinstance(call, Convolution):
            self._convolution(call, start)
            return
        starts_from_zero = start == 0 or call.dimension is not None
        if start is not None and not starts_from_zero:
            self._text(f"{self.names[call.output.value]}.fill_({start})")
        function, operands, keywords = library_text(
            call, self.names, adds_to_output=not starts_from_zero
        )
        if function in HOST_HELPERS:
            self._need(function)
        head = ""
        if call.output.value in self._returned:
            # One call of torch, instead of an allocation and a call.
            head = f"{self.names[call.output.value]} = "
            keywords = [(name, value) for name, value in keywords if name != "out"]
            self._returned.remove(call.output.value)
        values = tuple(Literal(operand) for operand in operands)
        named = tuple((name, Literal(value)) for name, value in keywords)
        self.lines += lay_out(head, Call(function, values, named), "", 4)

    def _convolution(self, call: Convolution, start: float | None) -> None:
        """A convolution: into the output if that starts from zero, else added to it."""
        self._need("_convolve")
        image, weight, out = (
            f"{self.names[view.value]}{_permuted(view.order)}"
            for view in (call.image, call.filter, call.output)
        )
        keywords = (("stride", call.strides), ("dilation", call.dilations))
        named = [(name, Literal(str(_tuple(pair)))) for name, pair in keywords]
        if start == 0:
            named.append(("out", Literal(out)))
        made = Call("_convolve", (Literal(image), Literal(weight)), tuple(named))
        if start != 0:
            if start is not None:
                self._text(f"{self.names[call.output.value]}.fill_({start})")
            made = Call(f"{out}.add_", (made,))
        self.lines += lay_out("", made, "", 4)

    def _grid(self, op: LaunchOp) -> Group:
        """Programs along the axes; persistent ones at most as many as run at a time."""
        counts = [
            self.sizes.value(count)
            if isinstance(count, SSAValue)
            else Literal(str(count))
            for count in mixed(op.grid, op.counts)
        ]
        if op.persistent is not None:
            self._need("_multiprocessors")
            at_once: Expression = Call("_multiprocessors", (Literal(self._device),))
            if op.persistent.value.data != 1:
                each = Literal(str(op.persistent.value.data))
                at_once = Binary("*", each, at_once)
            counts = [Call("min", (counts[0], at_once))]
        return Group(tuple(counts), "()")

    def _require(self, op: RequireOp) -> None:
        """Raise an error if a size does not meet a requirement of the kernels."""
        signs = {"le": ">", "ge": "<", "eq": "!="}
        left, right = self.sizes.value(op.lhs), self.sizes.value(op.rhs)
        condition = Binary(signs[op.predicate.data], left, right)
        if len(f"    if {condition}:") > WIDTH:
            name = self._names.fresh("size")
            self.lines += lay_out(f"{name} = ", left, "", 4)
            left = Name(name)
            condition = Binary(signs[op.predicate.data], left, right)
        self._text(f"if {condition}:")
        words = message_lines(op.message.data, (left, right))
        one_line = f"    raise ValueError({words[0]})"
        if len(words) == 1 and len(one_line) + 4 <= WIDTH:
            self._text(one_line)
            return
        self._text("    raise ValueError(")
        for line in words:
            self._text(f"        {line}")
        self._text("    )")

    def _described(self, value: SSAValue) -> str:
        """`float16 [512, M]`, or `float32` for a number."""
        name = element(value.type).name
        dtype = TORCH_TYPES.get(name, name).removeprefix("torch.")
        if not isinstance(value.type, MemRefType):
            return dtype
        shape = self.sizes.shape(value)
        return f"{dtype} [{', '.join(map(str, shape))}]"

    def _need(self, helper: str) -> None:
        if helper not in self.helpers:
            self.helpers.append(helper)

    def _name(self, value: SSAValue) -> None:
        self.names[value] = self._names.fresh(value.name_hint or "buffer")

    def _text(self, text: str) -> None:
        self.lines.append(f"    {text}")


def _permuted(order: tuple[int, ...]) -> str:
    """The view of a tensor with its dimensions in another order."""
    if order == tuple(range(len(order))):
        return ""
    return f".permute({', '.join(map(str, order))})"


def _tuple(numbers: Sequence[int]) -> Group:
    return Group(tuple(Literal(str(number)) for number in numbers), "()")


def _shape(of: object) -> tuple[int, ...]:
    assert isinstance(of, MemRefType)
    return of.get_shape()
