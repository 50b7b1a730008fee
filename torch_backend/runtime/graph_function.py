"""A graph as one flat Python function, which takes its inputs in a list.

torch.fx writes the text, which can be kept (`kept_graph.py`). The function empties the
list, which is AOTAutograd's boxed convention, and drops each tensor after its last use,
so that torch's allocator has its memory back.

    def forward(self, args):
        if _is_fake(args):
            return _on_fakes(self, args)
        x, weight, = args; args.clear()
        permute = weight.permute((1, 0));  weight = None
        payload0 = runtime_payload0(x, permute);  x = permute = None
        return (payload0,)
"""

from __future__ import annotations

import functools
import itertools
import linecache
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.graph import CodeGen

from tilewright.torch_backend.capture.input_writes import copy_together
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.runtime.fake_calls import (
    CHECK,
    IS_FAKE,
    ON_FAKES,
    EmptyResults,
    has_fakes,
    on_fakes,
)
from tilewright.torch_backend.runtime.segment_call import SegmentCall

GraphFunction = Callable[[list[Any]], Any]

_METHODS = {
    "aten.view.default": "view",
    "aten._unsafe_view.default": "view",
    "aten.detach.default": "detach",
    "aten.permute.default": "permute",
    "aten.transpose.int": "transpose",
    "aten.t.default": "t",
    "aten.unsqueeze.default": "unsqueeze",
    "aten.select.int": "select",
    "aten.expand.default": "expand",
    "aten.copy_.default": "copy_",
}
"""Ops whose methods of tensors take a third of the time of the call of the op."""

_FUNCTIONS = {
    f"aten.{name}.default": getattr(torch, name)
    for name in (
        "_adaptive_avg_pool2d",
        "_embedding_bag",
        "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_efficient_attention",
        "_scaled_dot_product_flash_attention",
        "_softmax",
        "addmm",
        "baddbmm",
        "bmm",
        "cat",
        "constant_pad_nd",
        "convolution",
        "cumprod",
        "cumsum",
        "embedding",
        "gather",
        "index_select",
        "mm",
        "native_dropout",
        "native_group_norm",
        "native_layer_norm",
        "sort",
        "topk",
    )
} | {
    f"aten.{name}.default": getattr(getattr(torch._C, "_nn"), name)  # noqa: B009
    for name in (
        "avg_pool2d",
        "avg_pool3d",
        "max_pool2d_with_indices",
        "scaled_dot_product_attention",
    )
}
"""Functions that read their arguments in half of the time of the call of the op. None
of them has another form that the same arguments could mean."""


class _Boxed(CodeGen):
    """Functions of one list, which they empty."""

    def gen_fn_def(
        self, free_vars: list[str], maybe_return_annotation: str, **_: Any
    ) -> str:
        names = [one.split(":")[0].split("=")[0].strip() for one in free_vars]
        taken = "".join(f"{name}, " for name in names if name != "self")
        unpacked = f"{CHECK}    {taken}= args\n" if taken else ""
        return f"def forward(self, args):\n{unpacked}    args.clear()\n"


@dataclass(frozen=True)
class GraphSource:
    """The text of a function, and what it takes to run it."""

    text: str
    scope: dict[str, Any]
    """Modules, functions and calls of segments, by their names in the text."""
    constants: dict[str, Any]
    """Tensors and subgraphs, by their names in the graph; `sub.x` belongs to `sub`."""
    device_index: int | None
    """The GPU of its tensors."""
    empty: dict[str, EmptyResults]
    """Calls in the place of the payloads', for fake tensors, by name."""

    def function(self) -> GraphFunction:
        """The function of a list of inputs."""
        title = f"<graph {next(_numbers)} of tilewright>"
        lines = self.text.splitlines(keepends=True)
        linecache.cache[title] = (len(self.text), None, lines, title)  # for tracebacks
        scope = dict(self.scope)
        scope[IS_FAKE] = has_fakes
        scope[ON_FAKES] = on_fakes(self.text, self.scope, self.empty)
        exec(compile(self.text, title, "exec"), scope)
        forward = functools.partial(scope["forward"], _owner(self.constants))
        made = _on_device(forward, self.device_index)
        made._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
        return made


_numbers = itertools.count()


def graph_source(
    root: GraphModule, graph: Graph, calls: Sequence[SegmentCall] = ()
) -> GraphSource:
    """The source of a graph's function; `root` has its constants and subgraphs.

    `calls` are those of its segments.
    """
    copy_together(graph)
    for node in graph.nodes:
        _shorten(node)
    graph.set_codegen(_Boxed())
    code = graph.python_code("self")
    names = [str(node.target) for node in graph.nodes if node.op == "get_attr"]
    constants = {name: _attribute(root, name) for name in names}
    known = {id(call.call): call for call in calls if call.call is not None}
    empty = {
        name: EmptyResults.of(known[id(value)])
        for name, value in code.globals.items()
        if id(value) in known
    }
    return GraphSource(code.src, code.globals, constants, _device_index(graph), empty)


def _attribute(root: Any, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), root)


def _owner(constants: dict[str, Any]) -> SimpleNamespace:
    """An object with the constants as attributes."""
    top = SimpleNamespace()
    for name, value in constants.items():
        *path, last = name.split(".")
        place = top
        for part in path:
            place = vars(place).setdefault(part, SimpleNamespace())
        setattr(place, last, value)
    return top


def _shorten(node: Node) -> None:
    """Call an op by a method or a function that is quicker.

    Methods take their arguments by position.
    """
    if node.op != "call_function":
        return
    name = op_name(node)
    method = _METHODS.get(name)
    if method is not None and not node.kwargs and isinstance(node.args[0], Node):
        node.op, node.target = "call_method", method
    elif name in _FUNCTIONS:
        node.target = _FUNCTIONS[name]
        # Python makes a list anew at each call, and a tuple of numbers once.
        node.args = tuple(map(_as_constant, node.args))


def _as_constant(value: Any) -> Any:
    is_list = isinstance(value, list) and all(type(one) is int for one in value)
    return tuple(value) if is_list else value


def _device_index(graph: Graph) -> int | None:
    """The GPU of a graph's tensors."""
    for node in graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.device.type == "cuda":
            return value.device.index
    return None


def _on_device(forward: GraphFunction, index: int | None) -> GraphFunction:
    """Make a graph's GPU the current one for a call, where another may be."""
    if index is None or torch.cuda.device_count() == 1:
        return forward
    current: Callable[[], int] = getattr(
        torch._C, "_cuda_getDevice", torch.cuda.current_device
    )

    def call(args: list[Any]) -> Any:
        if current() == index:
            return forward(args)
        with torch.cuda.device(index):
            return forward(args)

    return call
