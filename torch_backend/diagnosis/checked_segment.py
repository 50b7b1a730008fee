"""A segment of a model beside eager torch: does it deviate, and who is to blame?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Node

from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.compiled_program import Program
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run as interpret
from tilewright.pipeline import parse_payload
from tilewright.torch_backend.compiling.compile import compile_lowered
from tilewright.torch_backend.diagnosis.capture import CapturedGraph
from tilewright.torch_backend.diagnosis.culprit import Culprit, Reproduction
from tilewright.torch_backend.diagnosis.exact import exact_values
from tilewright.torch_backend.diagnosis.execution import Task, run_all
from tilewright.torch_backend.diagnosis.explanation import short_place
from tilewright.torch_backend.diagnosis.kernel_alone import (
    KernelAlone,
    check_case,
    kernels_alone,
)
from tilewright.torch_backend.diagnosis.kernels import (
    Kernel,
    kernels_of,
    places_of,
)
from tilewright.torch_backend.diagnosis.values import Deviation, deviation
from tilewright.torch_backend.lowering.lower import Lowered, lower
from tilewright.torch_backend.lowering.node_call import op_name, short_name
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.segments import Segment, segment_of
from tilewright.torch_backend.partition.support import is_item
from tilewright.torch_backend.runtime.runners import runner_for
from tilewright.torch_backend.runtime.segment_call import torch_graph
from tilewright.torch_backend.watching import LoweredSegment
from tilewright.tuning.measure.inputs import from_torch, to_torch


@dataclass
class CheckedSegment:
    """A segment, its program, and the program's results on eager torch's values."""

    graph: str
    one: LoweredSegment
    program: Program | None
    """None if no kernel can be made for it; the payload is compared then."""
    values: Mapping[Node, Any]
    """The value of every node of the graph, by eager torch."""
    inputs: list[Array]
    """The payload's inputs."""
    options: Options
    refusal: str = ""
    """Why there is no program."""
    results: list[torch.Tensor] | str = ""
    """The results of its kernels, or why there are none."""

    @property
    def lowered(self) -> Lowered:
        """The payload, and the layouts of its tensors."""
        return self.one.lowered

    def deviation(self, tolerance: float) -> Deviation | str | None:
        """How far its kernels deviate from eager torch; a text if they fail."""
        if isinstance(self.results, str):
            return f"its kernels fail: {self.results.strip().splitlines()[-1]}"
        return _worst(self.one.segment, self.results, self.values, tolerance)

    @property
    def kernels(self) -> list[Kernel]:
        """Its kernels."""
        return [] if self.program is None else kernels_of(self.lowered, self.program)

    def reproduction(self, kernel: Kernel) -> Reproduction | None:
        """A kernel alone; None if it cannot be built alone."""
        for one in self._alone([kernel]):
            return Reproduction(one.built, one.payload, one.case)
        return None

    def _alone(self, kernels: Sequence[Kernel]) -> list[KernelAlone]:
        assert self.program is not None
        return kernels_alone(self.program, kernels, self.inputs, self.one.name)

    def culprit(self, worst: Deviation | str, tolerance: float) -> Culprit:
        """The node whose payload is wrong, the kernel that is, or the whole segment."""
        segment = self.one.segment
        outputs = _payload_outputs(self.lowered, self.inputs)
        if _worst(segment, outputs, self.values, tolerance) is not None:
            if (found := self._wrong_node(tolerance)) is not None:
                return found
        elif (found := self._wrong_kernel()) is not None:
            return found
        return self._whole(worst)

    def _wrong_node(self, tolerance: float) -> Culprit | None:
        """The first node whose payload alone deviates from eager torch."""
        nodes = self.one.segment.nodes
        for node in nodes:
            if is_item(node):
                continue
            items = [user for user in node.users if is_item(user) and user in nodes]
            alone = segment_of([node, *items])
            if not alone.outputs:
                continue
            lowered = lower(alone.nodes, alone.inputs, alone.outputs, name="alone")
            inputs = _payload_inputs(lowered, self.values)
            outputs = _payload_outputs(lowered, inputs)
            worst = _worst(alone, outputs, self.values, tolerance)
            if worst is not None:
                return Culprit(
                    "lowering",
                    self.graph,
                    self.one.name,
                    op_name(node),
                    (short_name(op_name(node)),),
                    tuple(map(short_place, places_of([node]))),
                    str(worst),
                    _reproduction(lowered, inputs, alone, self.values),
                )
        return None

    def _wrong_kernel(self) -> Culprit | None:
        """The first kernel that deviates from the payload by itself."""
        if self.program is None:
            return None
        alone = self._alone(self.kernels)
        outcomes = run_all([Task(one.built, one.case.inputs) for one in alone])
        for one, results in zip(alone, outcomes, strict=True):
            told = results
            if not isinstance(results, str):
                compared = one.compare(results)
                if compared.ok:
                    continue
                told = compared.message
            return Culprit(
                "kernel",
                self.graph,
                self.one.name,
                one.kernel.name,
                one.kernel.ops,
                tuple(map(short_place, one.kernel.places)),
                str(told),
                Reproduction(one.built, one.payload, one.case),
                schedule=one.kernel.schedule,
            )
        return None

    def _whole(self, worst: Deviation | str) -> Culprit:
        """The segment, where no kernel deviates by itself."""
        segment = self.one.segment
        nodes = [node for node in segment.nodes if not is_item(node)]
        ops = dict.fromkeys(short_name(op_name(node)) for node in nodes)
        return Culprit(
            "segment",
            self.graph,
            self.one.name,
            self.one.name,
            tuple(ops),
            tuple(map(short_place, places_of(nodes))),
            str(worst),
            _reproduction(
                self.lowered, self.inputs, segment, self.values, self.program
            ),
        )


def checked_segments(
    graph: CapturedGraph, values: Mapping[Node, Any], options: Options
) -> list[CheckedSegment]:
    """The segments of a graph and their programs, if kernels can be made for them."""
    found: list[CheckedSegment] = []
    lines = [line.partition(": ") for line in graph.report.refused]
    refused = {name: fact for name, _, fact in lines}
    for one in graph.segments:
        program, refusal = None, refused.get(one.name, "")
        if not refusal:
            try:
                program = compile_lowered(one.lowered, options)
            except UserError as error:
                refusal = error.fact
        inputs = _payload_inputs(one.lowered, values)
        found.append(
            CheckedSegment(graph.name, one, program, values, inputs, options, refusal)
        )
    return found


def run_segments(segments: Sequence[CheckedSegment]) -> None:
    """Run the kernels of segments, or payloads without kernels; keep the results.

    On a GPU they run as in a compiled model.
    """
    tasks: list[tuple[CheckedSegment, Task]] = []
    for one in segments:
        if one.program is None:
            one.results = _payload_outputs(one.lowered, one.inputs)
        elif torch.cuda.is_available():
            one.results = _on_gpu(one)
        else:
            tasks.append((one, Task(one.program.built, one.inputs)))
    outcomes = run_all([task for _, task in tasks]) if tasks else []
    for (one, _), results in zip(tasks, outcomes, strict=True):
        is_text = isinstance(results, str)
        one.results = results if is_text else _as_tensors(one.lowered, results)


def _on_gpu(checked: CheckedSegment) -> list[torch.Tensor] | str:
    given = [checked.values[node] for node in checked.lowered.inputs]
    device = next((one.device for one in given if one.is_cuda), torch.device("cuda"))
    try:
        with torch.no_grad():
            return runner_for(checked.lowered, device, checked.options)(given)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _worst(
    segment: Segment,
    outputs: Sequence[torch.Tensor],
    values: Mapping[Node, Any],
    tolerance: float,
) -> Deviation | None:
    """The largest deviation of a segment's outputs from eager torch."""
    exact = exact_values(segment, values)
    found: list[Deviation] = []
    for position, (node, ours) in enumerate(zip(segment.outputs, outputs, strict=True)):
        judge = None if exact is None else exact[position].cpu()
        one = deviation(ours.cpu(), values[node].cpu(), judge, tolerance)
        found += [one] if one is not None else []
    return max(found, key=lambda one: one.relative, default=None)


def _payload_inputs(lowered: Lowered, values: Mapping[Node, Any]) -> list[Array]:
    """The tensors that a payload reads, in the order of its arguments and layouts."""
    given = zip(
        lowered.inputs, lowered.input_orders, lowered.payload.inputs, strict=True
    )
    return [
        from_torch(values[node].permute(order).contiguous(), argument.dtype)
        for node, order, argument in given
    ]


def _as_tensors(lowered: Lowered, results: Sequence[Array]) -> list[torch.Tensor]:
    """The results of a payload as torch sees them."""
    made = zip(results, lowered.payload.outputs, lowered.output_orders, strict=True)
    return [
        to_torch(array, output.dtype).permute(inverse(order))
        for array, output, order in made
    ]


def _payload_outputs(lowered: Lowered, inputs: Sequence[Array]) -> list[torch.Tensor]:
    """The payload's results in the numpy interpreter."""
    module = lowered.payload.module
    found = interpret(module, [array.copy() for array in inputs])
    return _as_tensors(lowered, found)


def _reproduction(
    lowered: Lowered,
    inputs: Sequence[Array],
    segment: Segment,
    values: Mapping[Node, Any],
    program: Program | None = None,
) -> Reproduction | None:
    """What a script needs to show that a segment deviates from eager torch."""
    if program is None:
        try:
            program = compile_lowered(lowered, Options())
        except UserError:
            return None
    module = parse_payload(lowered.payload.text())
    expected = interpret(module, [array.copy() for array in inputs])
    case = check_case(module, inputs, expected)
    eager = [values[node].detach().cpu() for node in segment.outputs]
    orders = (lowered.input_orders, lowered.output_orders)
    return Reproduction(
        program.built, module, case, torch_graph(segment).code, eager, orders
    )
