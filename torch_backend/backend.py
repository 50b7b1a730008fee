"""The backend of torch.compile: `torch.compile(model, backend="tilewright")`.

torch finds it by its entry point, so no import is needed. Dynamo captures the graph,
AOTAutograd makes it functional and gives forward and backward graphs of ATen ops, and
each becomes payloads and torch calls.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.schemas import SerializableAOTDispatchCompiler
from torch._guards import TracingContext
from torch.fx import GraphModule

from tilewright.torch_backend.capture.convolutions.channels_last import lay_out
from tilewright.torch_backend.capture.convolutions.convolution_biases import (
    split_biases,
)
from tilewright.torch_backend.capture.convolutions.depthwise import mark_depthwise
from tilewright.torch_backend.capture.convolutions.line_convolutions import (
    mark_line_products,
    widen_lines,
)
from tilewright.torch_backend.capture.convolutions.patches import multiply_patches
from tilewright.torch_backend.capture.decompositions import Decompositions
from tilewright.torch_backend.capture.framework_calls import simplify_calls
from tilewright.torch_backend.capture.graph_breaks import break_after
from tilewright.torch_backend.capture.patterns.checked_indices import check_indices
from tilewright.torch_backend.capture.patterns.host_constants import move_constants
from tilewright.torch_backend.capture.patterns.scalar_constants import fill_constants
from tilewright.torch_backend.capture.resampling import whole_resampling
from tilewright.torch_backend.capture.result_layouts import (
    keep_strides,
    traced_strides,
)
from tilewright.torch_backend.capture.rewrites import rewrite
from tilewright.torch_backend.capture.training import partition
from tilewright.torch_backend.capture.whole_attention import (
    name_attention,
    whole_attention,
)
from tilewright.torch_backend.compiling import triton_key
from tilewright.torch_backend.compiling.collector import fewer_collections
from tilewright.torch_backend.graph_cache import is_kept, keeping
from tilewright.torch_backend.options import Options, read_options
from tilewright.torch_backend.partition import preference
from tilewright.torch_backend.partition.support import main_device
from tilewright.torch_backend.report import RECENT, Report
from tilewright.torch_backend.runtime.cuda_graphs import CudaGraphs
from tilewright.torch_backend.runtime.first_call import (
    device_seconds,
    eager_copy,
    faster_call,
    is_timed,
)
from tilewright.torch_backend.runtime.kept_graph import KeptGraph
from tilewright.torch_backend.runtime.program import (
    BACKWARD,
    CompiledGraph,
    compile_graph,
)

_log = logging.getLogger("tilewright.torch")

triton_key.start()


def tilewright(
    graph: GraphModule,
    example_inputs: Sequence[torch.Tensor],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """Compile a graph that Dynamo captured."""
    chosen = read_options(mode, options)
    if (ended_by := break_after(graph)) is not None:
        where = ended_by.place or "an unknown line"
        _log.info("graph break at %s: %s; %s", where, ended_by.why, ended_by.cost)
    if not _may_keep_eager(chosen) or not is_timed(graph, example_inputs):
        return _compiled(graph, example_inputs, chosen)
    eager, known = eager_copy(graph), list(RECENT)
    compiled = _compiled(graph, example_inputs, chosen)
    reports = [one for one in RECENT if all(one is not other for other in known)]
    return faster_call(eager, compiled, device_seconds, partial(_keep_eager, reports))


def _may_keep_eager(options: Options) -> bool:
    """Whether eager torch may keep a graph whose kernels are slower."""
    is_asked_for = options.fallback == "error" or options.check_indices
    if is_asked_for or options.mode == "reduce-overhead":
        return False
    return options.keep_eager == "slower"


def _keep_eager(reports: Sequence[Report], own: float, eager: float) -> None:
    """Tell that eager torch keeps a graph, in the log and in its reports."""
    told = f"{own * 1e6:.0f} us, eager torch {eager * 1e6:.0f} us"
    _log.warning("eager torch keeps a graph, whose kernels are slower: %s", told)
    for report in reports:
        report.kept_by_eager = told


def _compiled(
    graph: GraphModule, example_inputs: Sequence[torch.Tensor], options: Options
) -> Callable[..., Any]:
    if not is_kept(graph, example_inputs, options):
        graphs = CudaGraphs() if options.mode == "reduce-overhead" else None
        return compile_captured(
            graph, example_inputs, lambda name: graph_compiler(options, name, graphs)
        )
    with keeping(options):
        return compile_captured(
            graph, example_inputs, lambda name: _keeping_compiler(options, name)
        )


def _keeping_compiler(options: Options, name: str) -> SerializableAOTDispatchCompiler:
    """A compiler whose graphs torch keeps, those of inference."""
    compiler = _graph_compiler(options, name)

    def compile_one(graph: GraphModule, inputs: Sequence[Any]) -> KeptGraph:
        made = compiler(graph, inputs)
        return KeptGraph.of(made, options, is_kept=name == "inference")

    return SerializableAOTDispatchCompiler(KeptGraph, compile_one)


def compile_captured(
    graph: GraphModule,
    example_inputs: Sequence[torch.Tensor],
    compiler_of: Callable[[str], Callable[..., Any]],
) -> Callable[..., Any]:
    """Compile by a compiler for each of "forward", "backward" and "inference"."""
    compiler = aot_autograd(
        fw_compiler=compiler_of("forward"),
        bw_compiler=compiler_of("backward"),
        inference_compiler=compiler_of("inference"),
        partition_fn=partition,
        decompositions=Decompositions(),
        keep_inference_input_mutations=True,
    )
    with fewer_collections(), whole_resampling(), whole_attention():
        simplify_calls(graph)
        return compiler(graph, list(example_inputs))


def graph_compiler(
    options: Options, name: str, cuda_graphs: CudaGraphs | None = None
) -> Callable[..., Any]:
    """A function from a graph of ATen ops to its callable, as AOTAutograd takes it."""
    compiler = _graph_compiler(options, name)

    def compile_one(graph: GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        call = compiler(graph, inputs).function
        if cuda_graphs is None:
            return call
        with fewer_collections():
            return cuda_graphs.captured(call, graph, inputs, name)

    return compile_one


def _graph_compiler(
    options: Options, name: str
) -> Callable[[GraphModule, Sequence[Any]], CompiledGraph]:
    made = time.perf_counter()

    def compile_one(graph: GraphModule, inputs: Sequence[Any]) -> CompiledGraph:
        start = time.perf_counter()
        # torch compiles backward graphs later, when gradients are first asked for.
        with fewer_collections():
            failed = _rewritten(graph, inputs, options, name)
            compiled = compile_graph(graph, options, name)
            compiled.report.refused += failed
            seconds = time.perf_counter() - start
            _log.info(
                "%s: compiled in %.2f s, %.2f s after Dynamo captured it",
                name,
                seconds,
                start - made,
            )
            return compiled

    return compile_one


def _rewritten(
    graph: GraphModule, inputs: Sequence[Any], options: Options, name: str
) -> list[str]:
    """Rewrite a graph; if a rewrite has a bug, leave it as it was and tell why."""
    if options.strict:
        _rewrite(graph, inputs, options, name)
        return []
    before = deepcopy(graph.graph)
    try:
        _rewrite(graph, inputs, options, name)
    except Exception as error:
        _log.warning("%s: the graph stays as torch gives it: %r", name, error)
        graph.graph = before
        return [f"the rewrites of the graph: {error!r}"]
    return []


def _rewrite(
    graph: GraphModule, inputs: Sequence[Any], options: Options, name: str
) -> None:
    name_attention(graph.graph)
    strides = traced_strides(graph.graph, _seen_results(name))
    keeps_convolutions = options.fallback == "torch" and (
        preference.keeps_convolutions(_device(graph, options))
    )
    if keeps_convolutions:
        split_biases(graph.graph)
    rewrite(graph.graph)
    if options.check_indices:
        check_indices(graph.graph)
    fill_constants(graph)
    move_constants(graph)
    if keeps_convolutions:
        _lay_out_convolutions(graph, inputs, name)
    keep_strides(graph.graph, strides)


def _seen_results(name: str) -> int | None:
    """How many results the caller sees: the rest is saved for the backward graph."""
    context = TracingContext.try_get()
    if name != "forward" or context is None or context.fw_metadata is None:
        return None
    return context.fw_metadata.num_forward_returns


def _device(graph: GraphModule, options: Options) -> torch.device:
    """The device that most of a graph's tensors are on, or would be."""
    return preference.placed(main_device(list(graph.graph.nodes)), options)


def _lay_out_convolutions(graph: GraphModule, inputs: Sequence[Any], name: str) -> None:
    """Give convolutions that stay in torch the layouts that suit them."""
    multiply_patches(graph.graph)
    mark_depthwise(graph.graph)
    mark_line_products(graph.graph)
    widen_lines(graph.graph)
    context, seen = TracingContext.try_get(), _seen_results(name)
    strides = lay_out(
        graph.graph,
        given=inputs if name == BACKWARD else (),
        seen=seen,
        training=name != "inference",
    )
    if strides is not None and context is not None and seen is not None:
        # torch tells the backward graph how its saved tensors lie.
        if context.output_strides is not None:
            context.output_strides.extend(strides)
