"""`tilewright.explain`: the kernels of a model, and what stayed in torch.

explained = tilewright.explain(model, (x,))
print(explained)              # a table of kernels
explained.as_json()           # the same as data
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.launch_ranges import statement_text
from tilewright.ir.errors import Place, UserError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tilewright.compiled_program import Program
    from tilewright.torch_backend.diagnosis.capture import (
        Captured,
        CapturedGraph,
        Model,
    )
    from tilewright.torch_backend.diagnosis.kernels import Kernel
    from tilewright.torch_backend.options import Options
    from tilewright.torch_backend.watching import LoweredSegment


@dataclass(frozen=True)
class KernelRow:
    """One kernel of a model."""

    graph: str
    """inference, forward or backward."""
    payload: str
    kernel: str
    ops: tuple[str, ...]
    lines: tuple[str, ...]
    """The model's lines: `model.py:12`."""
    modules: tuple[str, ...]
    """The modules that the ops belong to: `layers.0.norm`."""
    microseconds: float | None
    """None if it was to be measured, and the profiler saw nothing that it launched."""
    is_measured: bool
    """Otherwise the time is the cost model's estimate."""
    bound: str
    ceiling: float | None
    """The share of the GPU's ceiling: the least time over the time."""
    flops: int
    moved_bytes: int
    schedule: str
    """The statement of the planned schedule that made it."""
    note: str = ""
    """Why it is above the ceiling."""


@dataclass(frozen=True)
class TorchRow:
    """An op that stayed in torch."""

    graph: str
    op: str
    reason: str
    line: str
    times: int = 1


@dataclass(frozen=True)
class BreakRow:
    """Where a graph ends before the model does, and what is not fused there."""

    graph: str
    """The graph that ends."""
    reason: str
    line: str
    tensors: int
    moved_bytes: int
    """Stored by one graph, and read again by the next."""
    microseconds: float
    """The least time of that on the GPU; the host's is not in it."""


@dataclass(frozen=True)
class Explanation:
    """What became of a model."""

    target: str
    kernels: tuple[KernelRow, ...]
    in_torch: tuple[TorchRow, ...]
    refused: tuple[str, ...] = ()
    """Segments that no kernel could be made for, with the reason."""
    other_microseconds: float = 0.0
    """Measured beside the kernels: memory is filled or copied for them."""
    graph_breaks: tuple[BreakRow, ...] = ()
    cuts: tuple[str, ...] = ()
    """Where a payload was cut because the compiler refused it whole, and why."""

    @property
    def is_measured(self) -> bool:
        """Whether the times were measured, those that the profiler saw."""
        return any(row.is_measured or row.microseconds is None for row in self.kernels)

    @property
    def microseconds(self) -> float:
        """The time of all kernels together, and of what runs beside them."""
        return self.other_microseconds + sum(
            row.microseconds or 0.0 for row in self.kernels
        )

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "microseconds": self.microseconds}

    def __rich__(self) -> RenderableType:
        """Tables for a console of rich."""
        from tilewright.torch_backend.diagnosis.tables import tables_of

        return tables_of(self)

    def __str__(self) -> str:
        """The tables as text."""
        from tilewright.torch_backend.diagnosis.tables import as_text

        return as_text(self)


def explain(
    model: Model,
    args: Sequence[Any] = (),
    *,
    backward: bool = False,
    measure: bool | None = None,
    options: dict[str, Any] | None = None,
) -> Explanation:
    """Compile a model for its arguments, and tell what became of it.

    Times are measured on a GPU, and the cost model's estimates without one, or with
    `measure=False`. Ops stay in torch where they would on a GPU. `backward`
    explains the forward and backward graphs of training instead of an inference.
    `options` are those of the backend.
    """
    captured, chosen = captured_for_tools(
        model, args, backward=backward, options=options
    )
    rows: list[KernelRow] = []
    in_torch: list[TorchRow] = []
    refused: list[str] = []
    others = 0.0
    for graph in captured.graphs:
        for one in explained_segments(graph, chosen, measure=measure):
            others += one.other_seconds
            rows += [
                kernel_row(graph.name, one.segment.name, kernel, time, one.is_measured)
                for kernel, time in zip(one.kernels, one.seconds, strict=True)
            ]
        refused += [f"{graph.name}, {line}" for line in graph.report.refused]
        in_torch += torch_rows(graph)
    return Explanation(
        target_title(chosen),
        tuple(rows),
        tuple(in_torch),
        tuple(dict.fromkeys(refused)),
        others * 1e6,
        tuple(break_rows(captured, chosen)),
        tuple(
            f"{graph.name}, {line}"
            for graph in captured.graphs
            for line in graph.report.cuts
        ),
    )


def captured_for_tools(
    model: Model,
    args: Sequence[Any],
    *,
    backward: bool = False,
    options: dict[str, Any] | None = None,
) -> tuple[Captured, Options]:
    """The graphs of a model, placed as on a GPU, and the options they are made with."""
    from tilewright.torch_backend.diagnosis.capture import capture
    from tilewright.torch_backend.options import read_options
    from tilewright.torch_backend.runtime.program import BACKWARD

    chosen = read_options(None, {"placement": "gpu", **(options or {})})
    captured = capture(model, args, chosen, backward=backward, by="nothing")
    if sum(graph.name != BACKWARD for graph in captured.graphs) > 1:
        # Python between graphs may look at numbers, and zeros would lead it astray.
        captured = capture(model, args, chosen, backward=backward)
    return captured, chosen


@dataclass(frozen=True)
class ExplainedSegment:
    """A segment that was compiled, its kernels, and the time of each."""

    segment: LoweredSegment
    program: Program
    kernels: Sequence[Kernel]
    seconds: Sequence[float | None]
    """None where it was to be measured, and the profiler saw nothing."""
    is_measured: bool
    """Otherwise the times are the cost model's estimates."""
    other_seconds: float = 0.0
    """Measured beside the kernels."""


def explained_segments(
    graph: CapturedGraph,
    options: Options,
    *,
    measure: bool | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[ExplainedSegment]:
    """The segments of a graph that are not refused, compiled one after the other.

    Where tensors are on a CPU, nothing has compiled them before: those that are refused
    now are added to the report of the graph.
    """
    import torch

    from tilewright.torch_backend.compiling.compile import compile_lowered
    from tilewright.torch_backend.diagnosis.kernels import kernels_of

    measured = torch.cuda.is_available() if measure is None else measure
    failed = {line.partition(":")[0] for line in graph.report.refused}
    for one in graph.segments:
        if one.name in failed:
            continue
        progress(f"{graph.name}: {one.name}")
        try:
            program = compile_lowered(one.lowered, options)
        except UserError as error:
            if options.fallback == "error":
                raise
            graph.report.refused.append(f"{one.name}: {error.fact}")
            continue
        kernels = kernels_of(one.lowered, program)
        if not measured:
            times = [kernel.seconds for kernel in kernels]
            yield ExplainedSegment(one, program, kernels, times, False)
            continue
        from tilewright.torch_backend.diagnosis.times import measured_times

        found = measured_times(one.lowered, program, kernels)
        seconds, others = found.seconds, found.other_seconds
        yield ExplainedSegment(one, program, kernels, seconds, True, others)


def target_title(options: Options) -> str:
    """How the GPU is called that a model is compiled for."""
    from tilewright.program import find_target

    return find_target(options.target)[1]


def kernel_row(
    graph: str, payload: str, kernel: Kernel, seconds: float | None, measured: bool
) -> KernelRow:
    """The row of a kernel that takes so long; None if nobody knows."""
    share = kernel.least_seconds / seconds if seconds else None
    return KernelRow(
        graph,
        payload,
        kernel.name,
        kernel.ops,
        tuple(short_place(place) for place in kernel.places),
        kernel.modules,
        None if seconds is None else seconds * 1e6,
        measured and seconds is not None,
        kernel.bound,
        share,
        kernel.flops,
        kernel.moved_bytes,
        "" if kernel.schedule is None else statement_text(kernel.schedule),
        "" if share is None or share <= 1 else _above_ceiling(kernel),
    )


def _above_ceiling(kernel: Kernel) -> str:
    """Why a kernel can be faster than its bytes or its arithmetic allow."""
    if kernel.fits_cache:
        return "above the ceiling of memory: it finds its inputs in the L2 cache"
    return "above the ceiling, which is too low for it, or its time is wrong"


def torch_rows(graph: CapturedGraph) -> list[TorchRow]:
    """The ops that stayed in torch; equal ones of a line once."""
    found: dict[tuple[str, str, str], TorchRow] = {}
    for one in graph.report.stayed:
        line = "" if one.place is None else short_place(one.place)
        key = (one.op, one.reason, line)
        known = found.get(key)
        found[key] = (
            TorchRow(graph.name, one.op, one.reason, line)
            if known is None
            else replace(known, times=known.times + 1)
        )
    return list(found.values())


def break_rows(captured: Captured, options: Options) -> Iterator[BreakRow]:
    """The graph breaks of a model, in order."""
    from tilewright.program import find_target

    gpu, _ = find_target(options.target)
    for graph in captured.graphs:
        if (found := graph.ended_by) is not None:
            line = "" if found.place is None else short_place(found.place)
            seconds = found.seconds(gpu)
            yield BreakRow(
                graph.name,
                found.why,
                line,
                found.tensors,
                found.moved_bytes,
                seconds * 1e6,
            )


def short_place(place: Place) -> str:
    """`model.py:12`, without the folder."""
    return f"{Path(place.file).name}:{place.line}"
