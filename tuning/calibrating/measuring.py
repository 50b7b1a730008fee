"""Timing the points of a calibration on the GPU of this machine.

Processes build and compile the kernels; this process times them, one after the other,
with the clock of the tuner: two events around a call, a cold L2 cache, a full queue.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import Target, device_name
from tilewright.planning.model.library import LibraryMatmul
from tilewright.tuning.calibrating.points import (
    KernelPoint,
    LibraryPoint,
    Measurements,
    RowsPoint,
    kernel_points,
    library_points,
    rows_points,
    schedule_at,
)
from tilewright.tuning.calibrating.works import EMPTY, works
from tilewright.tuning.measure.timing import (
    CudaClock,
    TimingOptions,
    time_call,
    warm_up,
)
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool

POINTS = 4
"""Points of a sketch that are timed."""
LAUNCHES = 10
"""Further launches, from whose time that of one is taken."""
BUILD_SECONDS = 120.0
"""The longest that a point may take to be built and compiled."""

Report = Callable[[str, int, int], None]
"""Is told what is done, how much of it has been, and how much there is."""


@dataclass(frozen=True)
class BuildJob:
    """Build a point in another process, and compile its kernels."""

    point: KernelPoint
    target: Target

    def run(self) -> GeneratedProgram:
        """The program; its compiled kernels are in Triton's cache."""
        from tilewright.codegen.runtime.compile import compile_program
        from tilewright.codegen.runtime.source_cache import source_directory

        program = program_of(self.point, self.target)
        compile_program(program, self.target, source_directory(), ())
        return program


def program_of(point: KernelPoint, target: Target) -> GeneratedProgram:
    """The program of one point, not yet compiled."""
    from tilewright.pipeline import build

    work = works()[point.work]
    schedule = schedule_at(work, point.sketch, point.point, target)
    return build(work.payload, schedule, {}, verify_steps=False).program


def measured(
    target: Target, report: Report, points: list[KernelPoint] | None = None
) -> tuple[Measurements, list[str]]:
    """Time everything on the present GPU, or some points; which ones could not be."""
    clock = CudaClock()
    wanted = library_points() if points is None else []
    calls: list[LibraryPoint] = []
    by_torch = rows_points() if points is None else []
    rows = [replace(o, seconds=_seconds(rows_call(o), clock)) for o in by_torch]
    if points is None:
        points = kernel_points(target, POINTS)
    failed: list[str] = []
    for at, one in enumerate(wanted):
        report("library calls", at, len(wanted))
        try:
            call = library_call(one.product)
            calls.append(replace(one, seconds=_seconds(call, clock)))
        except Exception as error:
            failed.append(f"{one.product}: {error}")
    kernels: list[KernelPoint] = []
    for point, program, error in _built(points, target, report):
        if program is None:
            failed.append(f"{point.work}, {point.sketch} {point.point}: {error}")
            continue
        try:
            seconds = _seconds(kernel_call(program), clock)
        except Exception as problem:
            failed.append(f"{point.work}, {point.sketch} {point.point}: {problem}")
            continue
        infos = tuple(asdict(info) for info in program.kernels)
        kernels.append(replace(point, seconds=seconds, kernels=infos))
    name = device_name() or target.name
    found = Measurements(name, tuple(kernels), tuple(calls), tuple(rows))
    return replace(found, launch=_launch_seconds(target, clock)), failed


def _built(
    points: list[KernelPoint], target: Target, report: Report
) -> Iterator[tuple[KernelPoint, GeneratedProgram | None, str]]:
    """Every point with its program, as they come, or with the reason for none."""
    size = max(1, (os.cpu_count() or 2) - 2)
    with ProcessPool(size, "compile", limit=BUILD_SECONDS) as pool:
        tickets = {pool.submit(BuildJob(one, target)): one for one in points}
        done = 0
        while done < len(tickets):
            for ended in wait([pool], BUILD_SECONDS):
                report("kernels", done, len(tickets))
                done += 1
                value = ended.value if ended.ending == "ok" else None
                yield tickets[ended.ticket], value, ended.error


def _launch_seconds(target: Target, clock: CudaClock) -> float:
    """The seconds that one more empty kernel takes."""
    empty = next(one for one in kernel_points(target, 1) if one.work == EMPTY)
    call = kernel_call(program_of(empty, target))

    def several() -> None:
        for _ in range(1 + LAUNCHES):
            call()

    return max(0.0, _seconds(several, clock) - _seconds(call, clock)) / LAUNCHES


def _seconds(call: Callable[[], Any], clock: CudaClock) -> float:
    options = TimingOptions(warmup_ms=2.0, repetition_ms=15.0, max_repetitions=60)
    warm_up(call, clock, options)
    return time_call(call, clock, options).p50 / 1e3


def kernel_call(program: GeneratedProgram) -> Callable[[], Any]:
    """A call of a program with random arguments."""
    from tilewright.codegen.runtime.launch import load
    from tilewright.codegen.runtime.source_cache import source_directory
    from tilewright.tuning.measure.device_reference import random_tensors

    launch = load(program, source_directory())
    arguments = random_tensors(program.arguments, 0, "cuda")
    return lambda: launch(*arguments)


def rows_call(point: RowsPoint) -> Callable[[], Any]:
    """A softmax by torch."""
    import torch

    dtype = torch.bfloat16 if point.dtype == "bf16" else torch.float32
    values = torch.randn(point.rows, point.columns, device="cuda").to(dtype)
    return lambda: torch.softmax(values, 1)


def library_call(product: LibraryMatmul) -> Callable[[], Any]:
    """A call of torch for a product; f32 stays f32."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    dtype = torch.bfloat16 if product.dtype == "bf16" else torch.float32
    batch = (product.batch,) if product.batch > 1 else ()

    def made(*shape: int) -> Any:
        return torch.randn(*batch, *shape, device="cuda").to(dtype)

    left, right = made(product.m, product.k), made(product.k, product.n)
    if product.rhs_transposed:
        right = made(product.n, product.k).transpose(-1, -2)
    if product.added == "row":
        bias = torch.randn(product.n, device="cuda").to(dtype)
        return lambda: torch.addmm(bias, left, right)
    if product.added == "matrix":
        matrix = made(product.m, product.n)
        return lambda: torch.addmm(matrix, left, right)
    return lambda: left @ right
