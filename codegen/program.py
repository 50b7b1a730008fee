"""A generated program: the Triton source and the facts that are needed to run it.

Plain data that pickles, so that compile and measurement workers need nothing but this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.codegen.launches.plan import LaunchPlan
from tilewright.ir.errors import Place

DYNAMIC = -(2**63)
"""An extent that is known only when the program runs; the number MLIR has for it."""

NOMINAL = 1024
"""The nominal value of such an extent if a number is needed and none is given."""


Shapes = tuple[tuple[int, ...], ...]
"""The shapes of a program's arguments, numbers included: their shape is empty."""


@dataclass(frozen=True)
class TensorSpec:
    """One tensor at the program's boundary, or one number."""

    name: str
    shape: tuple[int, ...]
    """An extent known only at run time is DYNAMIC."""
    dtype: str
    """The MLIR spelling: f16, bf16, f32, ..."""
    is_scalar: bool = False
    """Whether it is a number, passed by value; a tensor of rank 0 is not."""
    extents: tuple[str, ...] = ()
    """Names of the extents that are known only at run time; empty for others. The same
    name in two tensors means the same number."""
    is_written: bool = False
    """Whether it is an argument that the program writes."""
    below: int | None = None
    """The extent that its elements index, if they are indices into another tensor."""

    def sized(self, sizes: Mapping[str, int]) -> TensorSpec:
        """With numbers for the extents known only at run time."""
        if not self.extents:
            return self
        shape = tuple(
            sizes.get(name, NOMINAL) if size == DYNAMIC else size
            for size, name in zip(self.shape, self.extents, strict=True)
        )
        return replace(self, shape=shape)

    def fits(self, shape: Sequence[int]) -> bool:
        """Whether a tensor of that shape can be passed."""
        return len(shape) == len(self.shape) and all(
            wanted in (DYNAMIC, size)
            for wanted, size in zip(self.shape, shape, strict=True)
        )

    def text(self) -> str:
        """`[M, 512]`."""
        names = self.extents or ("",) * len(self.shape)
        sizes = [
            (name or "any") if size == DYNAMIC else str(size)
            for size, name in zip(self.shape, names, strict=True)
        ]
        return f"[{', '.join(sizes)}]"


@dataclass(frozen=True)
class DotWork:
    """One `tl.dot` of a kernel: its tile and how often a program executes it."""

    m: int
    n: int
    k: int
    dtype: str
    count: int
    tf32x3: bool = False
    """Whether operands of f32 are multiplied as three matmuls of TF32."""


@dataclass(frozen=True)
class Access:
    """One load or store of a kernel, for traffic estimates."""

    kind: str
    """"load" or "store"."""
    tensor: str
    tile: tuple[int, ...]
    dtype: str
    count: int
    """How often one program executes it."""
    masked: bool
    descriptor: bool
    tensor_bytes: int | None = None
    """The bytes of the whole tensor, where its sizes are known."""


@dataclass(frozen=True)
class VectorWork:
    """The elements that one program computes outside dots, by the kind of op."""

    simple: int = 0
    """Sums, products, comparisons, casts."""
    special: int = 0
    """Exponentials, logarithms, divisions: several instructions each."""
    reduced: int = 0
    """Elements that are combined along an axis."""


@dataclass(frozen=True)
class KernelInfo:
    """What one launch does: the launch attributes and the work on one tile."""

    name: str
    grid: tuple[int, ...]
    """Extents of the tile grid, outermost first. Where sizes are known only at run
    time, this and the counts are for the shapes that the program was generated for."""
    num_warps: int
    num_stages: int
    group: int
    """Rows of tiles in a group of the tile order; 1 is plain row-major order."""
    dots: tuple[DotWork, ...]
    accesses: tuple[Access, ...]
    persistent: int = 0
    """Programs a multiprocessor that share the tiles; 0 is a program for each tile."""
    vector: VectorWork = VectorWork()

    @property
    def programs(self) -> int:
        """The number of tiles: one program for each, unless they are persistent."""
        total = 1
        for extent in self.grid:
            total *= extent
        return total


@dataclass(frozen=True)
class CallInfo:
    """The work of one library call: a product of matrices, or an op on rows.

    A convolution counts as a matrix product: positions by filters, over windows.
    """

    function: str
    """`torch.mm`."""
    dtype: str
    """The type of the operands."""
    batch: int
    m: int
    n: int
    k: int
    """The extents of a product; 0 if the call is not a product."""
    bytes_moved: int
    """Bytes of the operands and the result, each once."""
    bytes_copied: int = 0
    """Bytes that torch reads and writes in a kernel of its own before it multiplies: a
    matrix that is added is copied to the output."""
    alignment: int = 16
    """The power of two that divides the strides of all rows, in bytes; at most 16."""
    copies: int = 1
    """The kernels that copy `bytes_copied`."""
    adds_row: bool = False
    """Whether the call adds a row (a bias) to the product."""

    @property
    def flops(self) -> int:
        """Multiplications and additions."""
        return 2 * self.batch * self.m * self.n * self.k


@dataclass(frozen=True)
class Work:
    """The work of a program for one list of shapes of its arguments."""

    kernels: tuple[KernelInfo, ...]
    calls: tuple[CallInfo, ...] = ()

    @property
    def flops(self) -> int:
        """FLOPs of the matrix products, counting whole tiles."""
        dots = sum(
            2 * dot.m * dot.n * dot.k * dot.count * kernel.programs
            for kernel in self.kernels
            for dot in kernel.dots
        )
        return dots + sum(call.flops for call in self.calls)


@dataclass(frozen=True)
class GeneratedProgram:
    """A stand-alone Python file of Triton kernels with its launcher."""

    text: str
    """Source of the file; it needs only torch and triton."""
    entry: str
    """Name of the launcher: takes the arguments, returns the result tensor(s)."""
    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]
    kernels: tuple[KernelInfo, ...]
    key: str
    """Equal keys mean equal kernels and launches, whatever the source text."""
    places: tuple[tuple[str, int, Place], ...] = ()
    """Kernel, line counted from its def, and the place that made the line."""
    calls: tuple[CallInfo, ...] = ()
    """Calls of libraries, in order."""
    elsewhere: tuple[Work, ...] = ()
    """The work for further shapes that the program was generated for."""
    launch_plan: LaunchPlan | None = None
    """What the launcher does; None for a source that was not generated here."""
    header: int = 0
    """The characters of the text's docstring and imports."""
    imports: tuple[str, ...] = ()
    """The modules of the standard library that the text imports."""
    kernel_lines: tuple[tuple[str, int, int], ...] = ()
    """Kernel, its first and its last line in the text; lines count from 1."""

    @property
    def works(self) -> tuple[Work, ...]:
        """The work for each list of shapes; one, where all sizes are known."""
        return (Work(self.kernels, self.calls), *self.elsewhere)

    @property
    def is_dynamic(self) -> bool:
        """Whether sizes are known only when it runs."""
        return any(DYNAMIC in spec.shape for spec in self.arguments)

    @property
    def uses_gluon(self) -> bool:
        """Whether a kernel is written in Gluon, which Triton's interpreter lacks."""
        return self.launch_plan is not None and self.launch_plan.uses_gluon

    @property
    def precision(self) -> str | None:
        """The precision of f32 results if operands are rounded on purpose."""
        dots = (dot for kernel in self.kernels for dot in kernel.dots)
        return "tf32" if any(dot.dtype == "tf32" for dot in dots) else None
