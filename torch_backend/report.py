"""What became of a graph: its segments, and the ops that stayed in torch."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from tilewright.ir.errors import Place
from tilewright.ir.phrases import count


@dataclass(frozen=True)
class Stayed:
    """A node that stayed a call of torch."""

    op: str
    reason: str
    place: Place | None
    node: str = ""
    """Its name in the graph."""


@dataclass
class Report:
    """One compiled graph."""

    name: str
    segments: list[list[str]] = field(default_factory=list[list[str]])
    """The ops of each segment."""
    stayed: list[Stayed] = field(default_factory=list[Stayed])
    refused: list[str] = field(default_factory=list[str])
    """Segments that no kernel could be made for, with the reason."""
    cuts: list[str] = field(default_factory=list[str])
    """Where a payload was cut because the compiler refused it whole, and why."""
    kept_by_eager: str = ""
    """The times of both, if eager torch keeps the graph since it is faster."""
    cuda_graph: str = ""
    """In mode `reduce-overhead`: whether it is a CUDA graph, or why not."""

    def text(self) -> str:
        """A line for each segment and for each op that stayed in torch."""
        ops = sum(map(len, self.segments))
        payloads = count(len(self.segments), "payload")
        lines = [f"{self.name}: {count(ops, 'op')} in {payloads}"]
        lines += [
            f"  payload {number}: {count(len(ops), 'op')}: "
            f"{', '.join(dict.fromkeys(ops))}"
            for number, ops in enumerate(self.segments)
        ]
        for one in self.stayed:
            where = f" ({one.place})" if one.place is not None else ""
            lines.append(f"  torch: {one.op}: {one.reason}{where}")
        lines += [f"  cut: {line}" for line in self.cuts]
        if self.kept_by_eager:
            lines.append(f"  eager torch keeps it: {self.kept_by_eager}")
        return "\n".join([*lines, *(f"  refused: {line}" for line in self.refused)])


RECENT: deque[Report] = deque(maxlen=32)
"""The graphs compiled last in this process, the newest last."""
