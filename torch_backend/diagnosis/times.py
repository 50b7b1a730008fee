"""Measured times of a program's kernels, by torch's profiler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch.autograd import DeviceType  # pyright: ignore[reportPrivateImportUsage]

from tilewright.codegen.runtime.compile import load_launcher
from tilewright.codegen.runtime.launch_ranges import PREFIX, with_ranges
from tilewright.compiled_program import Program
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.structured.index_arguments import index_limits
from tilewright.pipeline import parse_payload
from tilewright.torch_backend.diagnosis.kernels import Kernel
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.tuning.measure.inputs import random_inputs, to_torch

WARM = 3
"""Calls before the measured ones: kernels are compiled, clocks go up."""
CALLS = 20
"""Measured calls, whose mean is reported."""


def measured_seconds(
    lowered: Lowered, program: Program, kernels: Sequence[Kernel]
) -> list[float]:
    """The mean time of each kernel on the GPU, on random inputs.

    The kernels run in order, as in a call of the program: what a kernel wrote may still
    be in the L2 cache when the next one reads it.
    """
    loaded = program.loaded
    launcher = with_ranges(
        load_launcher(loaded.path, program.built.program.entry),
        lambda position, kernel: f"{PREFIX}{position} {kernel}",
    )
    tensors = _inputs(lowered, program)
    with torch.no_grad():
        for _ in range(WARM):
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
    return _by_kernel(_by_launch(profiler.events() or ()), kernels)


def _by_launch(events: Sequence[Any]) -> dict[int, float]:
    """Seconds of a call that each launch takes on the device, by its position."""
    total: defaultdict[int, float] = defaultdict(float)
    for event in events:
        is_ours = event.name.startswith(PREFIX)
        if is_ours and event.device_type == DeviceType.CPU:
            position = int(event.name.removeprefix(PREFIX).split()[0])
            total[position] += event.device_time_total * 1e-6 / CALLS
    return total


def _by_kernel(seconds: dict[int, float], kernels: Sequence[Kernel]) -> list[float]:
    """The time of each kernel: those of its launches together."""
    return [
        sum(seconds.get(launch.position, 0.0) for launch in kernel.launches)
        for kernel in kernels
    ]


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
