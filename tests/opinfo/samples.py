"""The calls of ATen ops that OpInfo's samples make, after decomposition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch.cuda.jiterator import _JittedFunction  # pyright: ignore[reportPrivateUsage]
from torch.fx import Interpreter, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

from tilewright.torch_backend.capture.decompositions import decompositions

DTYPES: dict[str, torch.dtype] = {
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i64": torch.int64,
    "i1": torch.bool,
}
"""The element types that samples are drawn in."""


@dataclass(frozen=True)
class Call:
    """One call of an ATen op in a sample, with the tensors that it was given."""

    entry: str
    """The OpInfo entry: `nn.functional.gelu`."""
    node: Node
    given: dict[Node, Any]
    """The values of the nodes that it reads."""
    expected: Any


def entries(names: Sequence[str] = ()) -> list[Any]:
    """OpInfo's entries, those of the names if there are any.

    Functions of jiterator are left out. They are CUDA kernels that the dispatcher does
    not know: under a trace they read addresses that tensors do not have, and the
    process loses its GPU.
    """
    chosen = [
        op
        for op in op_db
        if (not names or op.name in names) and not isinstance(op.op, _JittedFunction)
    ]
    return sorted(chosen, key=lambda op: (op.name, op.variant_test_name))


def calls(
    op: Any, dtype: torch.dtype, limit: int | None, device: str = "cpu"
) -> Iterator[Call]:
    """The ATen calls of an entry's samples; samples that torch refuses are left out."""
    if dtype not in op.supported_dtypes(device):
        return
    torch.manual_seed(0)
    samples = op.sample_inputs(device, dtype, requires_grad=False)
    for sample in islice(samples, limit):
        torch.manual_seed(0)
        yield from _calls_of(op, sample)


def _calls_of(op: Any, sample: Any) -> Iterator[Call]:
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [p for p, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
    tensors = [leaves[place] for place in places]

    def call(*given: torch.Tensor) -> Any:
        filled = list(leaves)
        for place, tensor in zip(places, given, strict=True):
            filled[place] = tensor
        first, args, kwargs = pytree.tree_unflatten(filled, spec)
        return op.op(first, *args, **kwargs)

    try:
        functional = torch.func.functionalize(call)
        graph = make_fx(functional, decomposition_table=decompositions())(*tensors)
    except Exception:  # not every sample can be traced; that is torch's affair
        return
    recorder = _Recorder(graph)
    try:
        recorder.run(*tensors)
    except Exception:
        return
    for node, (given, made) in recorder.calls.items():
        yield Call(op.name, node, given, made)


class _Recorder(Interpreter):
    """Runs a graph, and keeps what each node was given and gave."""

    def __init__(self, graph: torch.fx.GraphModule):
        super().__init__(graph, garbage_collect_values=False)
        self.calls: dict[Node, tuple[dict[Node, Any], Any]] = {}
        self.mutates = any(_is_mutable(node) for node in graph.graph.nodes)

    def run_node(self, n: Node) -> Any:
        """Run a node; values that a later op may change are kept as copies.

        Memory that nobody has written is filled with 0: later ops may take its
        elements for indices.
        """
        given = self._kept({node: self.env[node] for node in n.all_input_nodes})
        made = super().run_node(n)
        if "empty" in str(n.target):
            made.zero_()
        n.meta["val"] = self._kept(made)
        if hasattr(n.target, "_schema") and not _is_mutable(n):
            self.calls[n] = (given, n.meta["val"])
        return made

    def _kept(self, values: Any) -> Any:
        keep = torch.Tensor.clone if self.mutates else torch.Tensor.detach
        return pytree.tree_map_only(torch.Tensor, keep, values)


def _is_mutable(node: Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable
