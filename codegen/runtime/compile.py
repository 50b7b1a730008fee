"""Compiling a generated program ahead of time, with or without a GPU.

The launcher determines the kernels, their arguments and their options. So it is called
on tensors without storage, under a driver that only knows a target, and every launch
becomes a compilation. Triton's JIT computes the specialization as for a real launch,
which then finds the kernel in Triton's cache.

The driver is global in Triton: call `compile_program` in a worker process, not
in a process that runs kernels.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.codegen.cuda_driver import has_driver
from tilewright.codegen.program import DYNAMIC
from tilewright.codegen.runtime.machine_code import code_hash, resource_usage
from tilewright.codegen.runtime.private_files import read_private
from tilewright.codegen.runtime.source_cache import (
    holds,
    read_record,
    write_record,
    write_text,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.errors import Note, UserError

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.program import GeneratedProgram, Shapes, TensorSpec
    from tilewright.codegen.targets import Target


def torch_dtype(dtype: str) -> torch.dtype:
    """The torch dtype of an MLIR element type."""
    import torch

    if dtype not in TORCH_TYPES:
        raise UserError(f"tensors of dtype '{dtype}' are not supported")
    return getattr(torch, TORCH_TYPES[dtype].removeprefix("torch."))


@dataclass(frozen=True)
class CompiledStats:
    """Statistics of a compiled kernel: its resources and some instruction counts."""

    kernel: str
    registers: int
    """Registers per thread."""
    spill_bytes: int
    """Stack bytes per thread, for values that did not fit into registers."""
    shared_bytes: int
    num_warps: int
    wgmma: int
    """Warp-group matrix instructions in the PTX; 0 means the slower `mma`."""
    tma_loads: int
    seconds: float
    """Time to compile, or to read the cached statistics."""
    code_bytes: int = 0
    """Size of the binary; 0 where it is not known."""
    code: str = ""
    """Hash of the machine code; empty where it is not known."""


def source_file(program: GeneratedProgram, directory: Path) -> Path:
    """Write the program's text to a file; equal texts share a file.

    `@triton.jit` reads the source of a function from its file. A stable name keeps
    tracebacks readable and Triton's cache valid across processes.
    """
    digest = hashlib.sha256(program.text.encode()).hexdigest()[:16]
    path = directory / f"{program.entry}_{digest}.py"
    if not holds(path, program.text):
        write_text(path, program.text)
    return path


def load_launcher(path: Path, entry: str) -> Callable[..., Any]:
    """Load a source file and return its launcher.

    Bytecode is neither read nor written, since only the text was verified. A file that
    somebody else can write is a `NotPrivate`.
    """
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(read_private(path), path, "exec", dont_inherit=True), vars(module))
    return getattr(module, entry)


def compile_program(
    program: GeneratedProgram,
    target: Target,
    directory: Path,
    shapes: Sequence[Shapes] = (),
) -> tuple[CompiledStats, ...]:
    """Compile every kernel that the launcher starts; returns statistics in launch
    order.

    Where sizes are open, Triton specializes on sizes that are multiples of 16. The
    argument `shapes` tell which kernels to compile, by default those of nominal sizes;
    the statistics are those of the first shapes.

    The statistics are cached in the directory: the same program for the same target and
    Triton is not compiled again. A kernel that Triton does not compile is a `UserError`
    at the place in the schedule that made the line.
    """
    source = source_file(program, directory)
    known = source.with_name(f"{source.stem}_{_compiler_key(target, shapes)}.json")
    start = time.perf_counter()
    if (rows := _known_stats(known)) is not None:
        found = (time.perf_counter() - start) / max(len(rows), 1)
        return tuple(replace(row, seconds=found) for row in rows)
    stats: tuple[CompiledStats, ...] = ()
    with compiling_for(target):
        for specs in _specs(program, shapes):
            made = compiled_launches(program, directory, list(map(example, specs)))
            stats = stats or tuple(map(_stats, different(made)))
    write_record(known, [asdict(row) for row in stats])
    return stats


def _known_stats(path: Path) -> list[CompiledStats] | None:
    """The statistics that a record holds; None if it is missing or damaged."""
    record = read_record(path)
    try:
        return None if record is None else [CompiledStats(**row) for row in record]
    except TypeError:
        return None  # a record of something else


def compile_part(
    program: GeneratedProgram, target: Target, directory: Path, part: int, parts: int
) -> None:
    """Compile every so-manyth kernel of a program, so that Triton's cache has it.

    Several processes compile a program of many kernels together this way;
    `compile_program` then finds them in the cache. Where sizes are open, they are
    nominal.
    """
    (specs,) = _specs(program, ())
    arguments = list(map(example, specs))
    with compiling_for(target):
        compiled_launches(program, directory, arguments, lambda n: n % parts == part)


def _specs(
    program: GeneratedProgram, shapes: Sequence[Shapes]
) -> list[list[TensorSpec]]:
    """The arguments for each list of shapes; nominal shapes where there is none."""
    if not shapes or not any(DYNAMIC in spec.shape for spec in program.arguments):
        return [[spec.sized({}) for spec in program.arguments]]
    return [
        [
            replace(spec, shape=shape)
            for spec, shape in zip(program.arguments, every, strict=True)
        ]
        for every in shapes
    ]


def _compiler_key(target: Target, shapes: Sequence[Shapes]) -> str:
    """A key of everything that a compilation depends on, apart from the source."""
    import triton

    name = f"{target.backend}{target.arch}_triton{triton.__version__}"
    if not shapes:
        return name
    return f"{name}_{hashlib.sha256(repr(shapes).encode()).hexdigest()[:16]}"


class _CompileOnlyDriver:
    """The part of a Triton driver that compilation needs."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def get_current_target(self) -> Any:
        from triton.backends.compiler import GPUTarget

        target = self._target
        return GPUTarget(target.backend, target.arch, target.warp)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


@contextlib.contextmanager
def compiling_for(target: Target) -> Iterator[None]:
    """Let Triton compile for a target, whatever this machine has."""
    from triton.runtime import driver

    before = driver._active
    driver.set_active(_CompileOnlyDriver(target))  # pyright: ignore[reportArgumentType]
    try:
        yield
    finally:
        driver._active = before


@dataclass(frozen=True)
class CompiledLaunch:
    """A launch that was only compiled."""

    name: str
    kernel: Any
    """Triton's compiled kernel."""
    options: dict[str, Any]
    """The keyword arguments of the launch."""
    seconds: float


def compiled_launches(
    program: GeneratedProgram,
    directory: Path,
    arguments: Sequence[Any],
    wanted: Callable[[int], bool] = lambda number: True,
) -> list[CompiledLaunch]:
    """The launches of a call, compiled inside `compiling_for`.

    Launches whose number is not wanted are left out.
    """
    numbers = itertools.count()
    found: list[CompiledLaunch] = []

    def compile_only(kernel: Any, *given: Any, **options: Any) -> None:
        if not wanted(next(numbers)):
            return
        start, name = time.perf_counter(), kernel.__name__
        try:
            made = kernel.run(*given, warmup=True, **options)
        except OSError as error:
            raise UserError(
                f"{name} cannot be compiled here: {error}",
                remedy="Triton needs room and permission to write in its cache "
                "(TRITON_CACHE_DIR) and in the temporary folder",
            ) from error
        except Exception as error:
            raise explained(error, program, name) from error
        if made is None:
            raise RuntimeError(f"Triton gave no kernel for {name}")
        build_launcher(made)
        del options["grid"]
        seconds = time.perf_counter() - start
        found.append(CompiledLaunch(name, made, options, seconds))

    launcher = load_launcher(source_file(program, directory), program.entry)
    call_launcher(launcher, program, arguments, compile_only)
    return found


def call_launcher(
    launcher: Callable[..., Any],
    program: GeneratedProgram,
    arguments: Sequence[Any],
    launch: Callable[..., None],
) -> None:
    """Call a launcher, and `launch` in the place of each launch of a kernel.

    It is given the kernel and the arguments of the launch, with `grid` among them.
    """
    from triton.runtime.jit import JITFunction

    assert isinstance(launcher, FunctionType)
    scope = launcher.__globals__
    replaced = {
        one.name: _Launched(scope[one.name], launch)
        for one in program.kernels
        if isinstance(scope[one.name], JITFunction)
    }
    FunctionType(launcher.__code__, {**scope, **replaced}, launcher.__name__)(
        *arguments
    )


@dataclass(frozen=True)
class _Launched:
    """A kernel in a launcher whose launches do something else: `kernel[grid](...)`."""

    kernel: Any
    launch: Callable[..., None]

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        return functools.partial(self.launch, self.kernel, grid=grid)


def build_launcher(kernel: Any) -> None:
    """Let the C compiler build the kernel's launcher now, in this process.

    Triton 3.6 compiles one for every signature at the first launch, which takes 0.2 s.
    The process that times kernels then finds it in Triton's cache. Triton 3.7 has one
    launcher for all.
    """
    import triton

    if triton.__version__.startswith("3.6.") and has_driver():
        from triton.backends.nvidia.driver import CudaLauncher

        # A failure shows again at the launch, where it is reported.
        with contextlib.suppress(Exception):
            CudaLauncher(kernel.src, kernel.metadata)


def explained(error: Exception, program: GeneratedProgram, kernel: str) -> UserError:
    """The error of a kernel that Triton did not compile, at its place in the schedule.

    Only Triton's front end reports the line; for later errors the place is that of the
    kernel.
    """
    line = getattr(getattr(error, "node", None), "lineno", 1)
    places = {at: place for name, at, place in program.places if name == kernel}
    found = max((at for at in places if at <= line), default=None)
    lines = str(error).strip().splitlines() or [type(error).__name__]
    cause = getattr(error, "error_message", None) or lines[-1]
    if (inner := error.__cause__) is not None and str(inner):
        cause = str(inner).strip().splitlines()[-1]
    place = None if found is None else places[found]
    around = places.get(1)
    notes = [Note("in the kernel that this makes", around)] if around != place else []
    fact = f"Triton does not compile {kernel}, line {line}: {cause}"
    return UserError(fact, place, notes=notes)


def example(spec: TensorSpec) -> torch.Tensor | float:
    """A number, or a tensor of the right shape and dtype without storage.

    Nominal extents are divisible by 16, as most extents in practice. The address of the
    tensor reads as 0, which is divisible by 16 like all addresses of torch's CUDA
    allocator, so the specialization is that of a real launch.
    """
    import torch

    if spec.is_scalar:
        return 1.5 if spec.dtype.startswith(("f", "bf")) else 3
    return torch.empty(spec.shape, dtype=torch_dtype(spec.dtype), device="meta")


def different(launches: Sequence[CompiledLaunch]) -> list[CompiledLaunch]:
    """The first launch of each kernel, as Triton tells kernels apart."""
    return list({one.kernel.hash: one for one in reversed(launches)}.values())[::-1]


def _stats(launch: CompiledLaunch) -> CompiledStats:
    kernel = launch.kernel
    if "hsaco" in kernel.asm:
        return _amd_stats(launch)
    registers, stack = resource_usage(kernel.asm["cubin"])
    ptx = kernel.asm["ptx"]
    return CompiledStats(
        kernel=launch.name,
        registers=registers,
        spill_bytes=stack,
        shared_bytes=kernel.metadata.shared,
        num_warps=kernel.metadata.num_warps,
        wgmma=ptx.count("wgmma.mma_async.sync"),
        tma_loads=len(re.findall(r"cp\.async\.bulk\.tensor\.\dd\.shared", ptx)),
        seconds=launch.seconds,
        code_bytes=len(kernel.asm["cubin"]),
        code=code_hash(kernel.asm["cubin"]),
    )


def _amd_stats(launch: CompiledLaunch) -> CompiledStats:
    """The statistics that the assembly of an AMD GPU has at its end."""
    kernel = launch.kernel
    text = kernel.asm["amdgcn"]

    def number(field: str) -> int:
        found = re.search(rf"\.{field}:\s+(\d+)", text)
        return int(found[1]) if found else 0

    return CompiledStats(
        kernel=launch.name,
        registers=number("vgpr_count"),
        spill_bytes=4 * number("vgpr_spill_count"),
        shared_bytes=kernel.metadata.shared,
        num_warps=kernel.metadata.num_warps,
        wgmma=0,
        tma_loads=0,
        seconds=launch.seconds,
        code_bytes=len(kernel.asm["hsaco"]),
        code=hashlib.sha256(kernel.asm["hsaco"]).hexdigest()[:32],
    )
