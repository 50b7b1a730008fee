"""Compiling a program for a target GPU: its resources, and its code."""

from __future__ import annotations

from rich.console import Console

from tilewright.codegen.program import GeneratedProgram, Shapes
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.codegen.runtime.compiled_code import KernelCode, heading
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.codegen.targets import Target
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.ir.errors import UserError
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.workers.jobs import CodeJob, CompileJob
from tilewright.tuning.workers.one_job import in_worker


def compile_for(
    program: GeneratedProgram,
    target: Target,
    console: Console,
    shapes: tuple[Shapes, ...] = (),
) -> tuple[CompiledStats, ...]:
    """Compile in a worker process; the result is cached on disk."""
    waiting = output_console(stderr=True)
    with progress_bar(waiting, f"compiling for {target.name}"):
        job = CompileJob(program, target, source_directory(), shapes)
        return tuple(in_worker("compile", job, limit=300.0).value)


def code_text(program: GeneratedProgram, target: Target, level: str) -> str:
    """The code of all kernels for a target, each under a comment with its name."""
    if not program.kernels:
        raise UserError(
            f"the program has no kernel to show as {level}: it only calls libraries",
            remedy="--emit triton shows the launcher",
        )
    with progress_bar(output_console(stderr=True), f"compiling for {target.name}"):
        job = CodeJob(program, target, source_directory(), (level,))
        found: list[KernelCode] = in_worker("compile", job, limit=300.0).value[level]
    return "\n".join(
        f"{heading(code.kernel, target, level)}\n{code.text.rstrip()}\n"
        for code in found
    )


def print_stats(stats: tuple[CompiledStats, ...], console: Console) -> None:
    """Print a line for each kernel."""
    for kernel in stats:
        console.print(
            f"compiled {kernel.kernel}: {kernel.registers} registers, "
            f"{kernel.spill_bytes} bytes spilled, {kernel.shared_bytes} bytes shared, "
            f"{kernel.wgmma} wgmma, {kernel.tma_loads} TMA loads"
        )


def print_misfits(
    program: GeneratedProgram,
    stats: tuple[CompiledStats, ...],
    target: Target,
    console: Console,
) -> None:
    """Print why the program will run badly on the target, if it will."""
    if (reason := prune_program(program, stats, target)) is not None:
        console.print(
            f"note: this program will run badly or not at all: {reason}; "
            f"{fitting_remedy(program, target)}",
            style="yellow",
        )


def fitting_remedy(program: GeneratedProgram, target: Target) -> str:
    """What to change so that the kernels fit the target."""
    described = any(a.descriptor for info in program.kernels for a in info.accesses)
    if described and not target.has_descriptors:
        return "load and store by pointers there: leave 'descriptors' off"
    return "smaller tiles, fewer stages or more warps help"
