"""The launch plan of a program: what its launcher does, step by step, as plain data.

    out = torch.empty(M, 64, dtype=torch.float32, device=x.device)
    f_kernel[((M + 7) // 8,)](x, out, M, N=64, num_warps=4, num_stages=1)
    return out

is

    LaunchPlan("f", arguments=("x",), sizes=(OpenSize("M", Dim("x", 0)),),
        buffers=(Buffer("x", "f32", (Name("M"), 64)), Buffer("out", ...)),
        steps=(Allocate("out"), Launch("f_kernel", (Binary("//", ...),),
            (Pointer("x"), Pointer("out"), Number(Name("M"), "index", True)), ...)),
        results=("out",))

Buffers have the names of the launcher's variables. Sizes known only at run time are
expressions of the arguments' extents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tilewright.codegen.source.python_text import Call, Expression, Literal
from tilewright.ir.errors import Place

Extent = int | Expression
"""A number, or an expression of open sizes."""


@dataclass(frozen=True)
class Dim(Expression):
    """An extent of an argument: `x.shape[0]`."""

    argument: str
    dim: int

    def __str__(self) -> str:
        """The extent as torch gives it."""
        return f"{self.argument}.shape[{self.dim}]"


@dataclass(frozen=True)
class OpenSize:
    """An extent of an argument that the launcher has a variable for."""

    name: str
    extent: Dim


@dataclass(frozen=True)
class Buffer:
    """A tensor of the launcher: contiguous, in row-major order."""

    name: str
    dtype: str
    """The MLIR spelling."""
    shape: tuple[Extent, ...]

    @property
    def is_static(self) -> bool:
        """Whether all extents are known numbers."""
        return all(isinstance(extent, int) for extent in self.shape)

    @property
    def static_shape(self) -> tuple[int, ...]:
        """The extents of a buffer that is static."""
        return tuple(extent for extent in self.shape if isinstance(extent, int))


@dataclass(frozen=True)
class Requirement:
    """A condition on sizes, without which the launcher refuses a call."""

    predicate: str
    """One of le, ge, eq."""
    left: Extent
    right: Extent
    message: str
    """`{0}` and `{1}` stand for the two numbers."""


# Views of buffers, as libraries and copies take them.


@dataclass(frozen=True)
class Method:
    """`.flatten(0, 1)`, `.permute(0, 2, 1)`, or the property `.mT`."""

    name: str
    arguments: tuple[int, ...] | None = None
    """None for a property."""

    def __str__(self) -> str:
        """The text after the tensor."""
        if self.arguments is None:
            return f".{self.name}"
        return f".{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Index:
    """`[8:16, :, 3]`: a range, everything as `()`, one index, or None for a new dim."""

    parts: tuple[tuple[int, ...] | int | None, ...]

    @property
    def slices(self) -> tuple[slice | int | None, ...]:
        """The parts as Python's indexing takes them."""
        return tuple(
            (slice(*part) if part else slice(None)) if isinstance(part, tuple) else part
            for part in self.parts
        )

    def __str__(self) -> str:
        """The text after the tensor."""
        return f"[{', '.join(map(_part_text, self.parts))}]"


def _part_text(part: tuple[int, ...] | int | None) -> str:
    if not isinstance(part, tuple):
        return str(part)
    return f"{part[0] or ''}:{part[1]}" if part else ":"


@dataclass(frozen=True)
class Operand(Expression):
    """A buffer, or a view of one."""

    buffer: str
    views: tuple[Method | Index, ...] = ()

    def __str__(self) -> str:
        """The view as an expression of the launcher."""
        return self.buffer + "".join(map(str, self.views))


# Steps.


@dataclass(frozen=True)
class Allocate:
    """New memory for a buffer."""

    buffer: str
    is_made_by_call: bool = False
    """Whether a library call can return this buffer instead (`CallLibrary.returns`)."""


@dataclass(frozen=True)
class MakeConstant:
    """A constant of the payload, made once for each device."""

    buffer: str
    constant: str
    """The global of the module, by its name there."""
    maker: str
    """The function of the file that makes it."""


@dataclass(frozen=True)
class MakeCounters:
    """Counters, which are zero before and after each launch."""

    buffer: str


@dataclass(frozen=True)
class View:
    """The start of another buffer's memory, in this buffer's shape and type."""

    buffer: str
    of: str


@dataclass(frozen=True)
class Copy:
    """A copy between buffers, or windows of them."""

    source: Operand
    target: Operand


@dataclass(frozen=True)
class Fill:
    """Fill a buffer with a number."""

    buffer: str
    value: float


@dataclass(frozen=True)
class Pointer:
    """A buffer that a kernel takes by address."""

    buffer: str


@dataclass(frozen=True)
class Descriptor:
    """A buffer that a kernel takes as a tensor descriptor."""

    buffer: str
    block: tuple[int, ...]
    extents: tuple[int, ...] | None = None
    """The described rows and columns, if not all."""
    by_gluon: bool = False
    """Whether the kernel is written in Gluon, whose descriptors have a layout."""


@dataclass(frozen=True)
class Number:
    """A number that a kernel takes."""

    value: Extent
    dtype: str
    """The MLIR spelling."""
    is_size: bool
    """Whether it follows from the shapes of the arguments."""


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel."""

    kernel: str
    grid: tuple[Extent, ...]
    arguments: tuple[Pointer | Descriptor | Number, ...]
    """Buffers, then numbers."""
    constants: tuple[tuple[str, int], ...]
    """The `tl.constexpr` parameters."""
    num_warps: int
    num_stages: int
    persistent: int = 0
    """At most this many programs per multiprocessor share the grid; 0 for no limit."""
    stream: int | None = None
    """None and 0 are the caller's; None in programs with one stream."""
    not_empty: tuple[Expression, ...] = ()
    """Sizes without which nothing is launched: an empty tensor has no descriptor."""
    place: Place | None = None
    """The statement of the schedule, or the op, that made the grid."""

    @property
    def buffers(self) -> tuple[str, ...]:
        """The buffers that the kernel takes."""
        given = (one for one in self.arguments if not isinstance(one, Number))
        return tuple(one.buffer for one in given)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers that the kernel takes."""
        return tuple(one for one in self.arguments if isinstance(one, Number))

    @property
    def options(self) -> tuple[tuple[str, int], ...]:
        """The keyword arguments of the launch."""
        warps, stages = ("num_warps", self.num_warps), ("num_stages", self.num_stages)
        return (*self.constants, warps, stages)


@dataclass(frozen=True)
class CallLibrary:
    """One call of torch, or of a helper function of the file that calls it."""

    function: str
    arguments: tuple[Expression, ...]
    """Operands, numbers, and the function that a helper calls."""
    keywords: tuple[tuple[str, Expression], ...]
    output: Operand
    returns: bool = False
    """Whether the call makes the whole output, so that it needs no allocation."""
    adds: bool = False
    """Whether the result is added to the output."""
    place: Place | None = None
    computes: tuple[Place, ...] = ()
    """The places of the ops that it computes."""

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All buffers of the call, or views of them; the output last."""
        given = [*self.arguments, *(value for _, value in self.keywords)]
        return (*(one for one in given if isinstance(one, Operand)), self.output)

    def mapped(self, change: Callable[[Operand], Operand]) -> CallLibrary:
        """The call with other operands."""

        def changed(value: Expression) -> Expression:
            return change(value) if isinstance(value, Operand) else value

        return replace(
            self,
            arguments=tuple(map(changed, self.arguments)),
            keywords=tuple((name, changed(value)) for name, value in self.keywords),
            output=change(self.output),
        )

    def expression(self, *, into_output: bool) -> Expression:
        """The call as Python; if it does not write its output, it gives the result."""
        keywords = self.keywords
        if into_output and not self.adds:
            keywords = (*keywords, ("out", self.output))
        made = Call(self.function, self.arguments, keywords)
        return Call(f"{self.output}.add_", (made,)) if self.adds else made


@dataclass(frozen=True)
class Record:
    """An event after the work of a stream so far."""

    event: str
    stream: int


@dataclass(frozen=True)
class Wait:
    """Let a stream wait for an event."""

    event: str
    stream: int


Step = (
    Allocate
    | MakeConstant
    | MakeCounters
    | View
    | Copy
    | Fill
    | Launch
    | CallLibrary
    | Record
    | Wait
)


@dataclass(frozen=True)
class LaunchPlan:
    """The launcher of a program."""

    entry: str
    arguments: tuple[str, ...]
    """Tensors and numbers, by the launcher's names."""
    sizes: tuple[OpenSize, ...]
    buffers: tuple[Buffer, ...]
    """All buffers, arguments first."""
    numbers: tuple[tuple[str, str], ...]
    """The numbers among the arguments, with their types."""
    requirements: tuple[Requirement, ...]
    steps: tuple[Step, ...]
    results: tuple[str, ...]

    @property
    def by_name(self) -> dict[str, Buffer]:
        """The buffers by name."""
        return {one.name: one for one in self.buffers}

    @property
    def uses_gluon(self) -> bool:
        """Whether a kernel is written in Gluon."""
        given = (one for launch in self.launches for one in launch.arguments)
        return any(isinstance(one, Descriptor) and one.by_gluon for one in given)

    @property
    def launches(self) -> tuple[Launch, ...]:
        """The launches, in order."""
        return tuple(step for step in self.steps if isinstance(step, Launch))

    @property
    def streams(self) -> tuple[int, ...]:
        """The streams that events are recorded on or waited for."""
        used = {step.stream for step in self.steps if isinstance(step, Record | Wait)}
        return tuple(sorted(used))


def literal(extent: Extent) -> Expression:
    """An extent as an expression."""
    return Literal(str(extent)) if isinstance(extent, int) else extent
