"""Measured times of a program's kernels, by torch's profiler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from tilewright.codegen.runtime.compile import load_launcher
from tilewright.codegen.runtime.launch_ranges import PREFIX, with_ranges
from tilewright.compiled_program import Program
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.structured.index_arguments import index_limits
from tilewright.pipeline import parse_payload
from tilewright.torch_backend.diagnosis.device_times import (
    Event,
    device_times,
    read_trace,
)
from tilewright.torch_backend.diagnosis.kernels import Kernel
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.tuning.measure.inputs import random_inputs, to_torch

CALLS = 20
"""Measured calls, whose mean is reported."""


@dataclass(frozen=True)
class MeasuredTimes:
    """The mean times of a call on the GPU."""

    seconds: tuple[float | None, ...]
    """Of each kernel; None if the trace has nothing that it launched."""
    other_seconds: float
    """Of what runs beside the kernels: memory is filled or copied."""


def measured_times(
    lowered: Lowered, program: Program, kernels: Sequence[Kernel]
) -> MeasuredTimes:
    """The mean time of each kernel on the GPU, on random inputs.

    The kernels run in order, as in a call of the program: what a kernel wrote may still
    be in the L2 cache when the next one reads it.
    """
    loaded, plan = program.loaded, program.built.program.launch_plan
    assert plan is not None
    launcher = with_ranges(load_launcher(loaded.path, plan.entry), plan, _range_name)
    tensors = _inputs(lowered, program)
    with torch.no_grad():
        # Calls before the measured ones: kernels are compiled, clocks go up.
        for _ in range(3):
            launcher(*tensors)
        torch.cuda.synchronize()
        activities = [
            torch.profiler.ProfilerActivity.CPU,
            torch.profiler.ProfilerActivity.CUDA,
        ]
        with torch.profiler.profile(activities=activities) as profiler:
            for _ in range(CALLS):
                launcher(*tensors)
            torch.cuda.synchronize()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        return times_in_trace(read_trace(path), kernels, CALLS)


def _range_name(position: int, kernel: str) -> str:
    return f"{PREFIX}{position} {kernel}"


def times_in_trace(
    events: Iterable[Event], kernels: Sequence[Kernel], calls: int
) -> MeasuredTimes:
    """The mean times, from a trace of several calls."""
    found = device_times(events, PREFIX)
    by_launch: defaultdict[int, float] = defaultdict(float)
    for one in found.ranges:
        if one.launched:
            position = int(one.name.removeprefix(PREFIX).split()[0])
            by_launch[position] += one.device_microseconds * 1e-6 / calls
    seconds: list[float | None] = []
    for kernel in kernels:
        positions = [launch.position for launch in kernel.launches]
        # A part of the time would be read as all of it.
        is_whole = all(position in by_launch for position in positions)
        spent = sum(by_launch[position] for position in positions) if is_whole else None
        seconds.append(spent)
    total = found.device_microseconds * 1e-6 / calls
    return MeasuredTimes(tuple(seconds), max(total - sum(by_launch.values()), 0.0))


def _inputs(lowered: Lowered, program: Program) -> list[torch.Tensor]:
    """Random tensors on the GPU; indices stay inside of the tensors they index."""
    limits = index_limits(find_function(parse_payload(lowered.payload.text()), None))
    specs = [
        replace(spec, below=limits.get(position))
        for position, spec in enumerate(program.built.program.arguments)
    ]
    arrays = random_inputs(specs)
    return [
        to_torch(array, spec.dtype, "cuda")
        for array, spec in zip(arrays, specs, strict=True)
    ]
