"""`tilewright.bisect`: the first kernel of a model whose numbers deviate.

found = tilewright.bisect(model, (x,))
print(found)                   # what was compared, and the culprit

Eager torch runs the graph and gives the inputs of every segment. A segment whose
kernels deviate from eager torch on these inputs is taken apart: either its payload
deviates too, then a node whose payload is wrong is to blame, or a kernel deviates from
the payload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.torch_backend.diagnosis.capture import Model, capture
from tilewright.torch_backend.diagnosis.checked_segment import (
    CheckedSegment,
    checked_segments,
    run_segments,
)
from tilewright.torch_backend.diagnosis.culprit import Culprit, Reproduction
from tilewright.torch_backend.diagnosis.execution import where_run
from tilewright.torch_backend.diagnosis.values import eager_values
from tilewright.torch_backend.options import Options, read_options


@dataclass
class Bisection:
    """What a comparison with eager torch found."""

    segments: int = 0
    """Segments that were compared."""
    where: str = ""
    """What ran the kernels."""
    deviating: list[str] = field(default_factory=list[str])
    """The segments that deviate, with the size of the deviation."""
    culprit: Culprit | None = None
    """Who is to blame for the first of them."""
    without_kernels: list[str] = field(default_factory=list[str])
    """The segments that no kernel can be made for: their payloads were compared."""

    def __str__(self) -> str:
        """A few lines: what was compared, and the culprit."""
        payloads = count(self.segments, "payload")
        compared = f"{payloads} beside eager torch, in {self.where}"
        deviating = len(self.deviating)
        lines = [
            f"{deviating} deviate: {compared}"
            if deviating
            else f"no deviation: {compared}"
        ]
        lines += [f"  {line}" for line in self.deviating]
        lines += [f"  without kernels: {line}" for line in self.without_kernels]
        lines += [] if self.culprit is None else [str(self.culprit)]
        return "\n".join(lines)


def bisect(
    model: Model,
    args: Sequence[Any] = (),
    *,
    backward: bool = False,
    tolerance: float = 1.0,
    options: Mapping[str, Any] | None = None,
) -> Bisection:
    """Compare a model's kernels with eager torch, and find the first that deviates.

    A value may be off by a few times the error that eager torch has beside float64;
    `tolerance` is a factor on that. `backward` compares the forward and backward graphs
    of training. `options` are those of the backend.
    """
    found = Bisection()
    segments = _segments(model, args, read_options(None, options), backward)
    run_segments(segments)
    for checked in segments:
        found.segments += 1
        if checked.program is None:
            text = f"{checked.graph}, {checked.one.name}: {checked.refusal}"
            found.without_kernels.append(text)
        else:
            found.where = found.where or where_run(checked.program.built)
        worst = checked.deviation(tolerance)
        if worst is None:
            continue
        found.deviating.append(f"{checked.graph}, {checked.one.name}: {worst}")
        if found.culprit is None:
            found.culprit = checked.culprit(worst, tolerance)
    found.where = found.where or "the payload-level numpy interpreter"
    return found


def kernel_named(
    model: Model,
    args: Sequence[Any],
    name: str,
    *,
    backward: bool = False,
    options: Mapping[str, Any] | None = None,
) -> tuple[Reproduction, str]:
    """The kernel of a name alone, whether it deviates or not, and a text about it.

    The names are those of `explain`, and of its payload where two payloads have one:
    `payload1/add_kernel`. Ops stay in torch where they would on a GPU.
    """
    chosen = read_options(None, {"placement": "gpu", **(options or {})})
    segments = _segments(model, args, chosen, backward)
    names: list[str] = []
    for checked in segments:
        for kernel in checked.kernels:
            own = [kernel.name, *(one.name for one in kernel.launches)]
            names.append(f"{checked.one.name}/{kernel.name}")
            if name not in (*own, *(f"{checked.one.name}/{one}" for one in own)):
                continue
            if (made := checked.reproduction(kernel)) is None:
                raise UserError(f"{name} cannot be built alone")
            about = f"{name} ({checked.graph}, {checked.one.name})"
            return made, f"{about}\nops: {', '.join(kernel.ops)}"
    raise UserError(
        f"the model has no kernel '{name}'", remedy=f"its kernels: {', '.join(names)}"
    )


def _segments(
    model: Model, args: Sequence[Any], options: Options, backward: bool
) -> list[CheckedSegment]:
    captured = capture(model, args, options, backward=backward)
    return [
        checked
        for graph in captured.graphs
        for checked in checked_segments(
            graph, eager_values(graph.graph, graph.inputs), options
        )
    ]
