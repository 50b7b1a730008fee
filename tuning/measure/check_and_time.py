"""Checking and timing a program on a device; runs inside a worker process.

Inputs and references stay on the device from one job to the next. A kernel that writes
where it should not could change them under the next candidate, so their checksums are
compared after each job.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import load_launcher, torch_dtype
from tilewright.ir.tolerance import (
    Comparison,
    Worst,
    absolute_tolerance,
    compare,
    describe_equal,
    tolerances,
)
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.measure.baselines import Beside, measure_beside
from tilewright.tuning.measure.inputs import from_torch, random_inputs, to_torch
from tilewright.tuning.measure.timing import (
    Timing,
    clock_for,
    combined,
    head_start,
    launch_microseconds,
    time_call,
    warm_up,
)

if TYPE_CHECKING:
    import torch

    from tilewright.tuning.measure.jobs import MeasureJob, Reference, RetimeJob


@dataclass(frozen=True)
class DeviceInfo:
    """The device a worker sees."""

    name: str
    l2_bytes: int


@dataclass(frozen=True)
class Measurement:
    """What running a candidate gave."""

    comparison: Comparison
    timing: Timing | None
    """None where the numbers were wrong, or nothing was to be timed; over several
    sizes, the geometric means."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Where the job's time went: check, warm-up, time."""
    each: tuple[Timing, ...] = ()
    """The times at every size that is timed."""
    beside: tuple[Beside, ...] = ()
    """What to compare those with, where that was asked for."""


def probe(device: str) -> DeviceInfo:
    """Name and L2 size of the device."""
    if device != "cuda":
        return DeviceInfo(device, 0)
    import torch

    properties = torch.cuda.get_device_properties(0)
    return DeviceInfo(properties.name, properties.L2_cache_size)


def measure(job: MeasureJob) -> Measurement:
    """Check the program against every reference, and time it if it is right."""
    seconds: dict[str, float] = {}
    clock = clock_for(job.device, job.timing)
    with _stage(seconds, "check"):
        questions = _questions(job.references, job.device)
        launcher = load_launcher(job.source, job.entry)
        calls = [functools.partial(launcher, *q.inputs) for q in questions]
        comparison = _check_all(calls, questions, clock.finish)
    if not comparison.ok:
        return Measurement(comparison, None, seconds)
    each: list[Timing] = []
    beside: list[Beside] = []
    for call, question in zip(calls, questions, strict=True):
        reference = question.reference
        if not reference.timed:
            continue
        with _stage(seconds, "warm-up"):
            warm_up(call, clock, job.timing)
        with _stage(seconds, "time"):
            each.append(time_call(call, clock, job.timing))
            if job.rated:
                found = measure_beside(
                    call, each[-1], reference, job.dot, clock, job.timing
                )
                beside.append(found)
    with _stage(seconds, "check"):
        again = _check_all(calls, questions, clock.finish)
    if not again.ok:
        # Right once and wrong later is a race, which one run seldom shows.
        text = f"right at first, wrong when run again: {again.message}"
        return Measurement(replace(again, message=text), None, seconds)
    timing = combined(each) if each else None
    return Measurement(comparison, timing, seconds, tuple(each), tuple(beside))


def retime(job: RetimeJob) -> dict[str, list[float]]:
    """Time the contenders in turn, a few repetitions each, for a number of rounds."""
    clock = clock_for(job.device, job.timing)
    questions = _questions(job.references, job.device)
    calls: dict[str, list[Callable[[], Any]]] = {}
    leads: dict[str, list[float]] = {}
    for contender in job.contenders:
        launcher = load_launcher(contender.source, contender.entry)
        calls[contender.name] = [
            functools.partial(launcher, *question.inputs) for question in questions
        ]
    for name, every in calls.items():
        leads[name] = []
        for call in every:
            warm_up(call, clock, job.timing)
            launch = launch_microseconds(call, clock)
            leads[name].append(head_start(clock.warm_ms(call, 5), launch))
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    for turn in range(job.rounds):
        # Another one begins each round: whoever follows a heavy kernel finds the card
        # hotter than the others do.
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            # The first repetition of a turn is the one that meets cold code.
            taken = [
                clock.sample(call, 6, lead)[1:]
                for call, lead in zip(calls[name], leads[name], strict=True)
            ]
            samples[name] += [
                geometric_mean(times) for times in zip(*taken, strict=True)
            ]
    return samples


@dataclass
class _Question:
    """Inputs and reference on a device, with the checksums they had at first."""

    reference: Reference
    inputs: list[Any]
    """Tensors, and numbers as they are."""
    checksums: list[int]
    expected: list[np.ndarray]
    on_device: list[torch.Tensor]
    limits: list[tuple[float, float]]
    """`(relative, absolute)` tolerance of each result."""

    def dtype(self, position: int) -> str:
        """The dtype whose tolerance a result is held to."""
        own = self.reference.results[position].dtype
        if self.reference.precision is None or own != "f32":
            return own
        return self.reference.precision


_current: dict[tuple[Reference, str], _Question] = {}
"""The questions last asked, so that one tuning run uploads its inputs once."""


def _questions(references: Sequence[Reference], device: str) -> list[_Question]:
    wanted = {(reference, device) for reference in references}
    if not wanted <= set(_current):
        # Whatever else is there belongs to another run, or to other candidates.
        for key in set(_current) - wanted:
            del _current[key]
    for reference in references:
        if (reference, device) not in _current:
            _current[reference, device] = _make_question(reference, device)
    return [_current[reference, device] for reference in references]


def _make_question(reference: Reference, device: str) -> _Question:
    arrays = random_inputs(reference.arguments, reference.seed)
    inputs: list[Any] = [
        array.item() if spec.is_scalar else to_torch(array, spec.dtype, device)
        for array, spec in zip(arrays, reference.arguments, strict=True)
    ]
    expected = [np.load(file) for file in reference.files]
    on_device: list[torch.Tensor] = []
    question = _Question(
        reference, inputs, [_checksum(tensor) for tensor in inputs], expected, [], []
    )
    for position, array in enumerate(expected):
        dtype = question.dtype(position)
        given = reference.reduction, reference.slack
        relative, _ = tolerances(dtype, *given)
        absolute = absolute_tolerance(array, dtype, *given)
        question.limits.append((relative, absolute))
        on_device.append(_upload(array, device))
    question.on_device = on_device
    return question


def _upload(array: np.ndarray, device: str) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.ascontiguousarray(array).reshape(array.shape)).to(device)


def _checksum(tensor: torch.Tensor | float) -> int:
    """A sum of the tensor's bits; differs if a kernel scribbled over it."""
    import torch

    if not isinstance(tensor, torch.Tensor):
        return 0
    if tensor.numel() == 0:
        return 0
    width = tensor.element_size()
    as_integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return int(tensor.view(as_integer[width]).sum(dtype=torch.int64).item())


def _check_all(
    calls: Sequence[Callable[[], Any]],
    questions: Sequence[_Question],
    finish: Callable[[], None],
) -> Comparison:
    """The first comparison that is off, with its sizes; else the worst."""
    found: list[Comparison] = []
    for call, question in zip(calls, questions, strict=True):
        comparison = _check(call, question, finish)
        if not comparison.ok:
            title = question.reference.title
            where = f"at {title}: " if title else ""
            return replace(comparison, message=f"{where}{comparison.message}")
        found.append(comparison)
    # Of equal ones the last: the sizes most often grow.
    return max(reversed(found), key=lambda comparison: comparison.relative_error)


def _check(
    call: Callable[[], Any], question: _Question, finish: Callable[[], None]
) -> Comparison:
    with empty_is_nan():
        outputs = call()
        finish()
    changed = _changed_argument(question)
    if changed is not None:
        _current.clear()
        message = f"the program wrote to its argument '{changed}'"
        return Comparison(False, float("inf"), float("inf"), message)
    if not isinstance(outputs, tuple):
        outputs = (outputs,)
    if len(outputs) != len(question.expected):
        message = f"{len(outputs)} results, expected {len(question.expected)}"
        return Comparison(False, float("inf"), float("inf"), message)
    worst = Comparison(True, 0.0, 0.0, "there are no results")
    for position, output in enumerate(outputs):
        comparison = _compare(output, position, question)
        if not comparison.ok:
            name = question.reference.results[position].name
            text = f"result '{name}': {comparison.message}"
            return replace(comparison, message=text)
        if comparison.relative_error >= worst.relative_error:
            worst = comparison
    return worst


def _compare(output: torch.Tensor, position: int, question: _Question) -> Comparison:
    """Compare on the device; only where that is not plainly equal, on the host.

    A result of some million elements takes numpy longer than the kernel takes to time.
    """
    spec = question.reference.results[position]
    expected = question.on_device[position]
    if tuple(output.shape) != spec.shape:
        text = f"shape is {tuple(output.shape)}, expected {spec.shape}"
        return Comparison(False, float("inf"), float("inf"), text)
    if output.dtype != torch_dtype(spec.dtype):
        text = f"dtype is {output.dtype}, expected {spec.dtype}"
        return Comparison(False, float("inf"), float("inf"), text)
    if output.numel() and output.dtype.is_floating_point:
        relative, absolute = question.limits[position]
        error = (output.to(expected.dtype) - expected).abs()
        allowed = expected.abs() * relative + absolute
        # NaN compares false, so it never passes here.
        if bool((error <= allowed).all()):
            largest = float(error.max())
            magnitude = max(absolute / relative if relative else 1.0, 1e-300)
            worst = _worst(output, expected, error / allowed)
            text = describe_equal(largest, largest / magnitude, worst)
            return Comparison(True, largest, largest / magnitude, text)
    host = from_torch(output, spec.dtype)
    return compare(
        host,
        question.expected[position],
        question.dtype(position),
        question.reference.reduction,
        question.reference.slack,
    )


def _worst(output: torch.Tensor, expected: torch.Tensor, share: torch.Tensor) -> Worst:
    """The element that uses most of its tolerance."""
    at = int(share.nan_to_num(0.0).argmax())  # nothing of a tolerance of nothing is NaN
    return Worst(
        [int(index) for index in np.unravel_index(at, tuple(output.shape))],
        output.flatten()[at].item(),
        expected.flatten()[at].item(),
        float(share.nan_to_num(0.0).flatten()[at]),
    )


def _changed_argument(question: _Question) -> str | None:
    for spec, tensor, checksum in zip(
        question.reference.arguments, question.inputs, question.checksums, strict=True
    ):
        if _checksum(tensor) != checksum:
            return spec.name
    return None


@contextlib.contextmanager
def empty_is_nan() -> Iterator[None]:
    """Make torch.empty give NaN (the largest integer for integers).

    The allocator hands a result the memory of the result before it, with the right
    numbers still in it: a kernel that leaves a tile unwritten would pass.
    """
    import torch

    # The filling belongs to the deterministic mode. `use_deterministic_algorithms` sets
    # that too, and imports the whole of Inductor for it: 1.7 seconds.
    settings: Any = torch.utils.deterministic
    mode, filling = (
        torch.get_deterministic_debug_mode(),
        settings.fill_uninitialized_memory,
    )
    torch.set_deterministic_debug_mode("warn")
    settings.fill_uninitialized_memory = True
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(mode)
        settings.fill_uninitialized_memory = filling


@contextlib.contextmanager
def _stage(seconds: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start
