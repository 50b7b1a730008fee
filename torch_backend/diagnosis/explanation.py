"""`tilewright.explain`: the kernels of a model, and what stayed in torch.

explained = tilewright.explain(model, (x,))
print(explained)              # a table of kernels
explained.as_json()           # the same as data
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.launch_ranges import statement_text
from tilewright.ir.errors import Place
from tilewright.ir.phrases import in_units

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tilewright.torch_backend.diagnosis.capture import CapturedGraph, Model
    from tilewright.torch_backend.diagnosis.kernels import Kernel
    from tilewright.torch_backend.options import Options


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
    microseconds: float
    is_measured: bool
    """Otherwise the time is the cost model's estimate."""
    bound: str
    ceiling: float
    """The share of the card's ceiling: the least time over the time."""
    flops: int
    moved_bytes: int
    schedule: str
    """The statement of the planned schedule that made it."""


@dataclass(frozen=True)
class TorchRow:
    """An op that stayed in torch."""

    graph: str
    op: str
    reason: str
    line: str
    times: int = 1


@dataclass(frozen=True)
class Explanation:
    """What became of a model."""

    target: str
    kernels: tuple[KernelRow, ...]
    in_torch: tuple[TorchRow, ...]
    refused: tuple[str, ...] = ()
    """Segments that no kernel could be made for, with the reason."""

    @property
    def is_measured(self) -> bool:
        """Whether the times were measured."""
        return any(row.is_measured for row in self.kernels)

    @property
    def microseconds(self) -> float:
        """The time of all kernels together."""
        return sum(row.microseconds for row in self.kernels)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "microseconds": self.microseconds}

    def __rich__(self) -> RenderableType:
        """Tables for a console of rich."""
        return _tables(self)

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
    `measure=False`. `backward` explains the forward and backward graphs of training
    instead of an inference. `options` are those of the backend.
    """
    import torch

    from tilewright.torch_backend.compiling.compile import compile_lowered
    from tilewright.torch_backend.diagnosis.capture import capture
    from tilewright.torch_backend.diagnosis.kernels import kernels_of
    from tilewright.torch_backend.options import read_options

    chosen = read_options(None, options)
    captured = capture(model, args, chosen, backward=backward, by="nothing")
    measured = torch.cuda.is_available() if measure is None else measure
    rows: list[KernelRow] = []
    in_torch: list[TorchRow] = []
    refused: list[str] = []
    for graph in captured.graphs:
        failed = {line.partition(":")[0] for line in graph.report.refused}
        refused += [f"{graph.name}, {line}" for line in graph.report.refused]
        for one in graph.segments:
            if one.name in failed:
                continue
            program = compile_lowered(one.lowered, chosen)
            kernels = kernels_of(one.lowered, program)
            times = [kernel.seconds for kernel in kernels]
            if measured:
                from tilewright.torch_backend.diagnosis.times import measured_seconds

                times = measured_seconds(one.lowered, program, kernels)
            rows += [
                _row(graph, one.name, kernel, seconds, measured)
                for kernel, seconds in zip(kernels, times, strict=True)
            ]
        in_torch += _in_torch(graph)
    return Explanation(
        _target(chosen), tuple(rows), tuple(in_torch), tuple(dict.fromkeys(refused))
    )


def _target(options: Options) -> str:
    from tilewright.program import find_target

    return find_target(options.target)[1]


def _row(
    graph: CapturedGraph, payload: str, kernel: Kernel, seconds: float, measured: bool
) -> KernelRow:
    return KernelRow(
        graph.name,
        payload,
        kernel.name,
        kernel.ops,
        tuple(short_place(place) for place in kernel.places),
        seconds * 1e6,
        measured,
        kernel.bound,
        kernel.least_seconds / seconds if seconds else 0.0,
        kernel.flops,
        kernel.moved_bytes,
        "" if kernel.schedule is None else statement_text(kernel.schedule),
    )


def _in_torch(graph: CapturedGraph) -> list[TorchRow]:
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


def short_place(place: Place) -> str:
    """`model.py:12`, without the folder."""
    return f"{Path(place.file).name}:{place.line}"


def _tables(found: Explanation) -> RenderableType:
    """A table of kernels, and one of the ops that stayed in torch."""
    from rich.console import Group
    from rich.text import Text

    from tilewright.torch_backend.diagnosis.tables import some_lines, table_of

    how = "measured" if found.is_measured else "estimated by the cost model"
    total = f"{found.microseconds:.1f} us"
    title = f"{len(found.kernels)} kernels for {found.target}, {total}, {how}"
    several = len({row.graph for row in found.kernels}) > 1
    table = table_of(
        title,
        ("#", *(["graph"] if several else []), "kernel", "computes", "model lines"),
        (
            "us" if found.is_measured else "us (estimate)",
            "bound",
            "of ceiling",
            "moves",
        ),
    )
    for number, row in enumerate(found.kernels, start=1):
        table.add_row(
            str(number),
            *([row.graph] if several else []),
            Text(row.kernel),
            Text(", ".join(row.ops)),
            Text(some_lines(row.lines)),
            f"{row.microseconds:.1f}",
            row.bound,
            f"{row.ceiling:.0%}",
            in_units(row.moved_bytes, "B"),
        )
    parts: list[RenderableType] = [table]
    if found.in_torch:
        stayed = table_of(
            f"{sum(row.times for row in found.in_torch)} ops stayed in torch",
            ("op", "times", "why", "model line"),
        )
        for row in found.in_torch:
            stayed.add_row(
                Text(row.op), str(row.times), Text(row.reason), Text(row.line)
            )
        parts += ["", stayed]
    else:
        parts.append("Nothing stayed in torch.")
    parts += [Text(f"refused: {line}", style="yellow") for line in found.refused]
    return Group(*parts)
