"""The graphs that a call of a model is compiled to, for tools that look at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch.fx import GraphModule
from torch.utils._pytree import tree_leaves

from tilewright.codegen.runtime.launch_ranges import PREFIX
from tilewright.ir.errors import UserError
from tilewright.torch_backend.backend import compile_captured, graph_compiler
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT, Report
from tilewright.torch_backend.watching import LoweredSegment, watching

Model = Callable[..., Any]
"""A module or a function."""


@dataclass
class CapturedGraph:
    """A graph of ATen ops: the segments it was cut into, and its inputs."""

    name: str
    """inference, forward or backward."""
    graph: GraphModule
    report: Report
    segments: tuple[LoweredSegment, ...] = ()
    inputs: tuple[Any, ...] = ()
    """Copies of what the first call gave it."""


@dataclass(frozen=True)
class Captured:
    """A call of a model: its graphs, and the callable that runs them."""

    graphs: tuple[CapturedGraph, ...]
    call: Callable[[], Any]
    """Calls the model on the same arguments again."""


def capture(
    model: Model,
    args: Sequence[Any],
    options: Options,
    *,
    backward: bool = False,
    runs_kernels: bool = False,
) -> Captured:
    """Compile a model for its arguments and call it once.

    With `backward`, gradients of the sum of its results are computed too. Otherwise
    the call is an inference. Torch runs the graphs, unless `runs_kernels`: without a
    GPU, interpreters of kernels are slow.
    """
    graphs: list[CapturedGraph] = []

    def compiler_of(name: str) -> Callable[..., Any]:
        inner = graph_compiler(options, name)

        def compile_one(graph: GraphModule, inputs: Sequence[Any]) -> Any:
            called = inner(graph, inputs)
            found = CapturedGraph(name, graph, RECENT[-1])
            graphs.append(found)
            return _ranged(called, name) if runs_kernels else _in_torch(graph, found)

        return compile_one

    def backend(graph: GraphModule, inputs: Sequence[torch.Tensor]) -> Any:
        return compile_captured(graph, inputs, compiler_of)

    def run(*given: Any) -> Any:
        return model(*given)

    # Dynamo limits the compilations of one code object.
    run.__code__ = run.__code__.replace()
    compiled = torch.compile(run, backend=backend, dynamic=False)

    def call() -> Any:
        if not backward:
            with torch.no_grad():
                return compiled(*args)
        made = compiled(*args)
        _sum(made).backward()
        return made

    with watching() as told:
        call()
    if not graphs:
        raise UserError(
            "torch.compile captured no graph of this model",
            remedy="torch._dynamo.explain(model)(...) says why",
        )
    for graph in graphs:
        own = [one for one in told if one.report is graph.report]
        graph.segments = tuple({one.name: one for one in own}.values())
    return Captured(tuple(graphs), call)


def _ranged(called: Callable[[list[Any]], Any], name: str) -> Any:
    """The function of a graph in a range of torch's profiler."""

    def run(inputs: list[Any]) -> Any:
        with torch.profiler.record_function(f"{PREFIX}{name}"):
            return called(inputs)

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


def _in_torch(graph: GraphModule, found: CapturedGraph) -> Any:
    """The graph run by torch; keeps a copy of the inputs of its first call."""

    def run(*inputs: Any) -> Any:
        if not found.inputs:
            found.inputs = tuple(
                one.detach().clone() if isinstance(one, torch.Tensor) else one
                for one in inputs
            )
        return graph(*inputs)

    return make_boxed_func(run)


def _sum(made: Any) -> torch.Tensor:
    """A number that depends on every result, for a backward pass."""
    leaves = tree_leaves(made)
    parts = [
        leaf.float().sum()
        for leaf in leaves
        if isinstance(leaf, torch.Tensor) and leaf.requires_grad
    ]
    if not parts:
        raise UserError(
            "no result of the model needs a gradient",
            remedy="leave out the backward pass, or give the model parameters",
        )
    return torch.stack(parts).sum()
