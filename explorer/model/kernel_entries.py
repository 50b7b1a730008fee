"""The kernels of a model as the page lists them; equal ones have one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.explorer.model.model_files import ModelFiles
from tilewright.ir.errors import Place
from tilewright.torch_backend.diagnosis.explanation import (
    ExplainedSegment,
    kernel_row,
)
from tilewright.torch_backend.diagnosis.kernels import Kernel


@dataclass
class KernelEntries:
    """Kernels, the different ones among them, and the texts of their segments."""

    files: ModelFiles
    kernels: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    segments: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    texts: list[str] = field(default_factory=list[str])
    """The plans and sources of all segments; segments refer to them by number."""
    different: list[tuple[ExplainedSegment, Kernel]] = field(
        default_factory=list[tuple[ExplainedSegment, Kernel]]
    )
    """One kernel of each sort: the `sort` of a kernel is a number into it."""
    _sorts: dict[tuple[Any, ...], int] = field(default_factory=dict[Any, int])
    _text_numbers: dict[str, int] = field(default_factory=dict[str, int])

    def add_segment(self, graph: int, name: str, one: ExplainedSegment) -> None:
        """Add a segment of a graph with its kernels."""
        plan = one.program.plan
        assert plan is not None
        self.segments.append(
            {
                "name": one.segment.name,
                "graph": graph,
                "plan": self._text(plan.text),
                "source": self._text(one.program.source),
                "payload": self._text(one.segment.lowered.text),
            }
        )
        for kernel, seconds in zip(one.kernels, one.seconds, strict=True):
            self._add_kernel(graph, name, one, kernel, seconds)

    def _add_kernel(
        self,
        graph: int,
        name: str,
        one: ExplainedSegment,
        kernel: Kernel,
        seconds: float | None,
    ) -> None:
        plan = one.program.plan
        assert plan is not None
        row = kernel_row(name, one.segment.name, kernel, seconds, one.is_measured)
        number = None if kernel.planned is None else kernel.planned.number
        lines = None if number is None else plan.written.line_ranges.get(number)
        self.kernels.append(
            {
                "graph": graph,
                "segment": len(self.segments) - 1,
                "name": row.kernel,
                "ops": list(row.ops),
                "nodes": [node.name for node in kernel.nodes],
                "places": self._places(kernel.places),
                "seconds": seconds,
                "measured": row.is_measured,
                "bound": row.bound,
                "ceiling": row.ceiling,
                "flops": row.flops,
                "bytes": row.moved_bytes,
                "note": row.note,
                "sort": self._sort(one, kernel),
                "plan_lines": None if lines is None else [lines.start, lines.stop - 1],
                "plan_line": None if kernel.schedule is None else kernel.schedule.line,
                "source_lines": self._functions(one, kernel),
                "label": _label(kernel),
            }
        )

    def _functions(self, one: ExplainedSegment, kernel: Kernel) -> list[list[int]]:
        """The first and last line of each function that a kernel launches."""
        lines = one.program.built.program.kernel_lines
        spans = {name: [first, last] for name, first, last in lines}
        names = dict.fromkeys(launch.name for launch in kernel.launches)
        return [spans[name] for name in names if name in spans]

    def _places(self, places: Sequence[Place]) -> list[list[int] | None]:
        return [self.files.place(place) for place in places]

    def _sort(self, one: ExplainedSegment, kernel: Kernel) -> int:
        """Kernels with the same ops, work and plan are of one sort."""
        types = [str(node.meta.get("val")) for node in kernel.nodes]
        key = (_label(kernel), kernel.ops, kernel.flops, kernel.moved_bytes, *types)
        if key not in self._sorts:
            self._sorts[key] = len(self.different)
            self.different.append((one, kernel))
        return self._sorts[key]

    def _text(self, text: str) -> int:
        if text not in self._text_numbers:
            self._text_numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._text_numbers[text]


def _label(kernel: Kernel) -> str:
    """How the plan computes a kernel: the label of its sketch; empty by default."""
    if kernel.planned is None or not kernel.planned.candidates:
        return ""
    return kernel.planned.candidates[0].sketch.label
