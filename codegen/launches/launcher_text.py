"""The launcher's source: a Python function that does the steps of a launch plan."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence

from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Copy,
    Descriptor,
    Dim,
    Fill,
    Launch,
    LaunchPlan,
    MakeConstant,
    MakeCounters,
    Number,
    Operand,
    Pointer,
    Record,
    Requirement,
    Step,
    View,
    Wait,
    literal,
)
from tilewright.codegen.source import escape
from tilewright.codegen.source.gluon_names import GLUON_IMPORTS, PIN, SYNC
from tilewright.codegen.source.host_helpers import HOST_HELPERS
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
from tilewright.ir.dtypes import byte_width

_NO_BREAK = "\u00a0"

Around = Callable[[int, str], str]
"""The context manager of a launch or a library call, as text; from its position among
them, and the name of the kernel or the function."""


class LauncherText:
    """Writes the launcher of a plan, and collects the helper functions it needs."""

    def __init__(self, plan: LaunchPlan, around: Around | None = None):
        """With `around`, launches and library calls are in a `with` statement each."""
        self.plan = plan
        self.helpers: list[str] = []
        self.lines: list[str] = []
        self.buffers = plan.by_name
        self._around = around
        self._count = 0
        events = (step.event for step in plan.steps if isinstance(step, Record))
        sizes = (size.name for size in plan.sizes)
        kernels = (launch.kernel for launch in plan.launches)
        taken = {*plan.arguments, *self.buffers, *sizes, *events, *kernels}
        self._names = Names({*taken, *HOST_HELPERS, plan.entry, "_wait"})
        self._streams: dict[int, str] = {}
        tensors = [name for name in plan.arguments if name in self.buffers]
        self._has_tensors = bool(tensors)
        self.device = f"{tensors[0]}.device" if tensors else self._names.fresh("device")

    def write(self) -> list[str]:
        """The lines of the function."""
        plan = self.plan
        parameters = tuple(map(Name, plan.arguments))
        head = lay_out("def ", Call(plan.entry, parameters), ":", 0)
        self._docstring()
        self.begin()
        for step in plan.steps:
            self.step(step)
        self._text(f"return {', '.join(plan.results)}".rstrip())
        return [*head, *self.lines]

    def begin(self) -> None:
        """Write what comes before the steps: streams, sizes, and their checks."""
        plan = self.plan
        if not self._has_tensors:
            self._need("_device_here")
            self._text(f"{self.device} = _device_here()")
        for number in plan.streams:
            self._need("_stream")
            self._need("_record")
            name = self._names.fresh(f"stream{number}" if number else "stream")
            self._streams[number] = name
            self._text(f"{name} = _stream({self.device}, {number})")
        for size in plan.sizes:
            self._text(f"{size.name} = {size.extent}")
        for requirement in plan.requirements:
            self._require(requirement)

    def call_lines(self, *steps: Fill | CallLibrary) -> list[str]:
        """The lines of a library call into a buffer that exists."""
        before, self.lines = self.lines, []
        for step in steps:
            if isinstance(step, CallLibrary):
                self._call(step, is_new=False)
            else:
                self.step(step)
        made, self.lines = self.lines, before
        return made

    def _docstring(self) -> None:
        plan = self.plan
        self._text(f'"""{escape.docstring(plan.entry)}, on contiguous tensors.')
        self.lines.append("")
        numbers = dict(plan.numbers)
        if plan.arguments:
            self._text("Args:")
            for name in plan.arguments:
                if name in numbers:
                    about = _torch(numbers[name])
                else:
                    about = _described(self.buffers[name], is_argument=True)
                self._text(f"    {name}: {about}")
            self.lines.append("")
        if plan.results:
            self._text("Returns:")
            for name in plan.results:
                # An argument that is returned may be a number.
                if name in numbers:
                    about = _torch(numbers[name])
                else:
                    about = _described(self.buffers[name])
                self._text(f"    {name}: {about}")
        self._text('"""')

    def operand(self, of: Operand) -> Operand:
        """A view of a buffer, as a library takes it."""
        return of

    def step(self, step: Step) -> None:
        """Write a step."""
        match step:
            case Allocate():
                if not step.is_made_by_call:
                    self.allocate(self.buffers[step.buffer])
            case MakeConstant():
                self._text(f"{step.buffer} = {step.maker}({self.device})")
            case MakeCounters():
                self._need("_counters")
                (count,) = self.buffers[step.buffer].shape
                self._text(f"{step.buffer} = _counters({count}, {self.device})")
            case View():
                self.view(self.buffers[step.buffer], self.buffers[step.of])
            case Copy():
                source, target = self.operand(step.source), self.operand(step.target)
                self._text(f"{target}.copy_({source})")
            case Fill():
                buffer = self.operand(Operand(step.buffer))
                self._text(f"{buffer}.fill_({step.value})")
            case Launch():
                self._ranged(step.kernel, lambda: self.launch(step))
            case CallLibrary():
                self._ranged(step.function, lambda: self._call(step, step.returns))
            case Record():
                stream = self._streams[step.stream]
                self._text(f"{step.event} = _record({stream})")
            case Wait():
                self._text(f"_wait({self._streams[step.stream]}, {step.event})")

    def _ranged(self, name: str, write: Callable[[], None]) -> None:
        first = len(self.lines)
        write()
        if self._around is not None:
            inner = [f"    {line}" for line in self.lines[first:]]
            self.lines[first:] = [f"    with {self._around(self._count, name)}:"]
            self.lines += inner
        self._count += 1

    def allocate(self, buffer: Buffer) -> None:
        """Write the allocation of a buffer."""
        # Separate arguments for sizes: a tuple makes torch's call 50 % slower.
        sizes = tuple(map(literal, buffer.shape)) or (Group((), "()"),)
        dtype = Literal(TORCH_TYPES[buffer.dtype])
        keywords = (("dtype", dtype), ("device", Literal(self.device)))
        made = Call("torch.empty", sizes, keywords)
        self.lines += lay_out(f"{buffer.name} = ", made, "", 4)

    def view(self, buffer: Buffer, of: Buffer) -> None:
        """The same elements in another shape; at most one size is left to torch."""
        sizes = list(map(str, buffer.shape))
        unknown = [
            n for n, size in enumerate(buffer.shape) if not isinstance(size, int)
        ]
        if len(unknown) == 1 and 0 not in buffer.shape:
            sizes[unknown[0]] = "-1"
        source = of.name
        if buffer.dtype != of.dtype or _is_part(buffer, of):
            # A temporary in memory that is shared with others.
            size = math.prod(buffer.static_shape) * byte_width(buffer.dtype)
            source = f"{source}[:{size}].view({TORCH_TYPES[buffer.dtype]})"
        view = f"{source}.view({', '.join(sizes) or '()'})"
        self.lines += lay_out(f"{buffer.name} = ", Literal(view), "", 4)

    def launch(self, step: Launch) -> None:
        """Write a launch by Triton."""
        arguments = [self.argument(one) for one in step.arguments]
        arguments += [f"{name}={value}" for name, value in step.options]
        grid = self.grid(step)
        head = f"{step.kernel}[{grid}]("
        if len(head) + 4 > WIDTH:
            name = self._names.fresh("grid")
            self.lines += lay_out(f"{name} = ", grid, "", 4)
            head = f"{step.kernel}[{name}]("
        indent = 4
        if step.not_empty:
            sizes = (f"{size} > 0" for size in step.not_empty)
            self._text(f"if {' and '.join(sizes)}:")
            indent += 4
        if step.stream is not None:
            stream = self._streams[step.stream]
            self.lines.append(f"{' ' * indent}with torch.cuda.stream({stream}):")
            indent += 4
        one_line = f"{' ' * indent}{head}{', '.join(arguments)})"
        if len(one_line) <= WIDTH:
            self.lines.append(one_line)
        else:
            self.lines += explode(head, arguments, ")", indent)

    def argument(self, one: Pointer | Descriptor | Number) -> str:
        """An argument of a launch by Triton."""
        if isinstance(one, Descriptor):
            helper = "_gluon_descriptor" if one.by_gluon else "_descriptor"
            self._need(helper)
            described = [one.block] if one.extents is None else [one.block, one.extents]
            tensor = str(self.operand(Operand(one.buffer)))
            if len(one.block) < len(self.buffers[one.buffer].shape):
                tensor += f".flatten({len(one.block) - 1})"
            return f"{helper}({', '.join([tensor, *map(str, described)])})"
        if isinstance(one, Pointer):
            return str(self.operand(Operand(one.buffer)))
        return f"int({one.value})" if one.dtype == "i1" else str(one.value)

    def grid(self, step: Launch) -> Group:
        """Programs along the axes; persistent ones at most as many as run at a time."""
        counts = [literal(count) for count in step.grid]
        if step.persistent:
            self._need("_multiprocessors")
            at_once: Expression = Call("_multiprocessors", (Literal(self.device),))
            if step.persistent != 1:
                at_once = Binary("*", Literal(str(step.persistent)), at_once)
            counts = [Call("min", (counts[0], at_once))]
        return Group(tuple(counts), "()")

    def _call(self, step: CallLibrary, is_new: bool) -> None:
        if step.function in HOST_HELPERS:
            self._need(step.function)
        # One call of torch, instead of an allocation and a call.
        head = f"{step.output} = " if is_new else ""
        made = step.mapped(self.operand).expression(into_output=not is_new)
        self.lines += lay_out(head, made, "", 4)

    def _require(self, need: Requirement) -> None:
        """Raise an error if a size does not meet a requirement of the kernels."""
        sign = {"le": ">", "ge": "<", "eq": "!="}[need.predicate]
        left, right = literal(need.left), literal(need.right)
        condition = Binary(sign, left, right)
        if len(f"    if {condition}:") > WIDTH:
            name = self._names.fresh("size")
            self.lines += lay_out(f"{name} = ", left, "", 4)
            left = Name(name)
            condition = Binary(sign, left, right)
        self._text(f"if {condition}:")
        words = _message_lines(need.message, (left, right))
        one_line = f"    raise ValueError({words[0]})"
        if len(words) == 1 and len(one_line) + 4 <= WIDTH:
            self._text(one_line)
            return
        self._text("    raise ValueError(")
        for line in words:
            self._text(f"        {line}")
        self._text("    )")

    def _need(self, helper: str) -> None:
        if helper not in self.helpers:
            self.helpers.append(helper)

    def _text(self, text: str) -> None:
        self.lines.append(f"    {text}")


def imports_text(plan: LaunchPlan, standard: Iterable[str], body: str) -> str:
    """The imports of a file: modules of the standard library, torch and triton.

    A body in which Gluon computes everything needs nothing else of Triton.
    """
    lines = [f"import {name}" for name in sorted(standard)]
    lines += [""] if lines else []
    lines.append("import torch")
    if not plan.uses_gluon or "triton." in body:
        lines.append("import triton")
    if plan.launches and (not plan.uses_gluon or "tl." in body):
        lines.append("import triton.language as tl")
    given = [one for launch in plan.launches for one in launch.arguments]
    described = [one for one in given if isinstance(one, Descriptor)]
    if plan.uses_gluon:
        lines += GLUON_IMPORTS
    if not all(one.by_gluon for one in described):
        lines.append("from triton.tools.tensor_descriptor import TensorDescriptor")
    head = "\n".join(lines) + "\n"
    if plan.uses_gluon:
        head += f"\n{SYNC}" + (f"\n{PIN}" if "_pin(" in body else "")
    return head


def _is_part(buffer: Buffer, of: Buffer) -> bool:
    """Whether a view is of a part of the memory, which then has a known size."""
    if not (buffer.is_static and of.is_static):
        return False
    return math.prod(buffer.static_shape) != math.prod(of.static_shape)


def _described(buffer: Buffer, *, is_argument: bool = False) -> str:
    """`float16 [512, M]`; an extent of an argument without a name is `any`."""
    sizes = (
        "any" if is_argument and isinstance(size, Dim) else str(size)
        for size in buffer.shape
    )
    return f"{_torch(buffer.dtype)} [{', '.join(sizes)}]"


def _torch(dtype: str) -> str:
    return TORCH_TYPES.get(dtype, dtype).removeprefix("torch.")


def _message_lines(message: str, values: Sequence[Expression]) -> list[str]:
    """A message as string literals, one on a line, with numbers of the run time."""

    def fill(match: re.Match[str]) -> str:
        value = values[int(match[1])]
        if isinstance(value, Literal):
            return str(value)
        # No line ends inside an expression.
        return f"{{{value}}}".replace(" ", _NO_BREAK)

    pieces = re.split(r"(\{\d\})", message)
    filled = "".join(
        re.sub(r"\{(\d)\}", fill, piece) if number % 2 else escape.string_body(piece)
        for number, piece in enumerate(pieces)
    )
    lines = textwrap.wrap(filled, 72, drop_whitespace=False, break_long_words=False)
    return [
        f'f"{line}"' if "{" in line else f'"{line}"'
        for line in (line.replace(_NO_BREAK, " ") for line in lines)
    ]
