"""The graphs that a call of a model is compiled to, for tools that look at them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
from torch._dynamo.exc import BackendCompilerFailed
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch.fx import GraphModule, Node
from torch.utils._pytree import tree_leaves

from tilewright.codegen.runtime.launch_ranges import PREFIX
from tilewright.ir.errors import UserError
from tilewright.torch_backend.backend import compile_captured, graph_compiler
from tilewright.torch_backend.capture.graph_breaks import GraphBreak, break_after
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT, Report
from tilewright.torch_backend.runtime.program import BACKWARD
from tilewright.torch_backend.watching import LoweredSegment, watching

Model = Callable[..., Any]
"""A module or a function."""
Executor = Literal["torch", "kernels", "nothing"]
"""What runs a graph: eager torch; the kernels, which are slow in interpreters; nothing,
which gives zeros, for tools that only look at what was compiled."""


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
    sources: tuple[str, ...] = ()
    """Where each argument comes from, as Dynamo writes it: `L['given'][0]`. Empty for
    backward graphs."""
    ended_by: GraphBreak | None = None
    """None for the last graph of a model, and for backward graphs."""


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
    by: Executor = "torch",
) -> Captured:
    """Compile a model for its arguments and call it once.

    With `backward`, gradients of the sum of its results are computed too. Otherwise
    the call is an inference. `by` says what runs the graphs.
    """
    _check(model, args)
    graphs: list[CapturedGraph] = []

    def compiler_of(whole: GraphModule, name: str) -> Callable[..., Any]:
        sources, ended_by = _sources(whole), break_after(whole)
        inner = graph_compiler(options, name)

        def compile_one(graph: GraphModule, inputs: Sequence[Any]) -> Any:
            called = inner(graph, inputs)
            found = CapturedGraph(name, graph, RECENT[-1])
            if name != BACKWARD:
                found.sources = sources if len(sources) == len(inputs) else ()
                found.ended_by = ended_by
            graphs.append(found)
            match by:
                case "kernels":
                    return _ranged(called, name)
                case "torch":
                    return _in_torch(graph, found)
                case "nothing":
                    return make_boxed_func(partial(_zeros, graph))

        return compile_one

    def backend(graph: GraphModule, inputs: Sequence[torch.Tensor]) -> Any:
        return compile_captured(graph, inputs, partial(compiler_of, graph))

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

    with watching() as told, _own_errors():
        call()
    if not graphs:
        fact = "torch.compile captured no graph of this model"
        raise UserError(fact, remedy=_remedy(model))
    for graph in graphs:
        own = [one for one in told if one.report is graph.report]
        graph.segments = tuple({one.name: one for one in own}.values())
    return Captured(tuple(graphs), call)


def _sources(graph: GraphModule) -> tuple[str, ...]:
    """Where the arguments of a graph of Dynamo come from."""
    found: list[str] = []
    for node in graph.graph.find_nodes(op="placeholder"):
        source = getattr(node.meta.get("grapharg"), "source", None)
        name = getattr(source, "name", "")
        # A method in torch 2.9 and before, a property since.
        found.append(str(name() if callable(name) else name))
    return tuple(found)


def _check(model: Model, args: Sequence[Any]) -> None:
    if not callable(model):
        fact = f"{type(model).__name__} is no model"
        raise UserError(fact, remedy="give a module or a function")
    if isinstance(args, torch.Tensor):
        raise UserError("args is a tensor", remedy="write (x,)")


@contextmanager
def _own_errors() -> Generator[None]:
    """Raise errors of the user's, such as an unknown target, as they are."""
    try:
        yield
    except BackendCompilerFailed as error:
        if isinstance(error.inner_exception, UserError):
            raise error.inner_exception from None
        raise


def _remedy(model: Model) -> str:
    """What to do about a model that torch.compile leaves to eager torch."""
    is_module = isinstance(model, torch.nn.Module)
    layers = model.modules() if is_module else ()
    if any(isinstance(layer, torch.nn.RNNBase) for layer in layers):
        return (
            "it leaves models with nn.LSTM, nn.GRU or nn.RNN to eager torch, unless "
            "torch._dynamo.config.allow_rnn is True"
        )
    return "torch._dynamo.explain(model)(...) says why"


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


def _zeros(graph: GraphModule, *inputs: Any) -> list[Any]:
    """Results of a graph that nothing computes: zeros."""
    places = [node for node in graph.graph.nodes if node.op == "placeholder"]
    given = dict(zip(places, inputs, strict=True))
    outputs: Any = graph.graph.output_node().args[0]
    made: list[Any] = []
    for node in outputs:
        value = node.meta.get("val") if isinstance(node, Node) else node
        if node in given:
            made.append(given[node])
        elif isinstance(value, torch.Tensor):
            like = torch.empty_strided(
                value.shape, value.stride(), dtype=value.dtype, device=value.device
            )
            made.append(like.zero_())
        else:
            made.append(value)
    return made


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
