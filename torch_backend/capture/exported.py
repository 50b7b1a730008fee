"""A module or a function as one graph, by torch.export."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx import Node

from tilewright.torch_backend.capture.decompositions import decompositions
from tilewright.torch_backend.capture.rewrites import rewrite
from tilewright.torch_backend.capture.user_errors import user_errors, without_logs

_REMEDY = "check the model and its example arguments"

_CHECKS = {
    "aten._assert_async.msg",
    "aten._assert_scalar.default",
    "aten._assert_tensor_metadata.default",
    "aten.sym_constrain_range.default",
    "aten.sym_constrain_range_for_size.default",
}


@dataclass(frozen=True)
class Exported:
    """A graph with its weights as inputs."""

    program: ExportedProgram
    inputs: tuple[Node, ...]
    """The user's inputs, then the weights."""
    nodes: tuple[Node, ...]
    outputs: tuple[Node, ...]
    """The tensors that the model returns, then those that it writes."""
    names: Mapping[Node, str]
    """The names of inputs in the model: `x`, `layers.0.weight`."""
    weights: Mapping[Node, torch.Tensor]
    """The values of the inputs that are weights."""


def export(
    model: torch.nn.Module | Callable[..., Any],
    args: Sequence[Any],
    dynamic_shapes: Any = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Exported:
    """The graph of a module or function in core ATen ops."""
    is_module = isinstance(model, torch.nn.Module)
    module = model if is_module else _as_module(model)
    failure = user_errors("torch.export cannot capture the model", _REMEDY)
    with torch.no_grad(), failure, without_logs(), warnings.catch_warnings():
        # torch warns of what its own nn.GRU and nn.LSTM do.
        warnings.filterwarnings("ignore", r".*\._flat_weights\[", UserWarning)
        # Without Dynamo, torch keeps the lines of `forward` methods only.
        program = torch.export.export(
            module,
            tuple(args),
            dict(kwargs or {}),
            dynamic_shapes=dynamic_shapes,
            strict=not is_module,
        )
    return read_exported(program)


def read_exported(program: ExportedProgram) -> Exported:
    """The graph of an exported program, decomposed."""
    with warnings.catch_warnings():
        # torch warns of its own use of `LeafSpec`.
        warnings.filterwarnings("ignore", ".*LeafSpec", FutureWarning)
        program = program.run_decompositions(decompositions())
    graph = program.graph_module.graph
    (output,) = (node for node in graph.nodes if node.op == "output")
    # A rewrite may return another node in the place of one that is named here.
    places = _places_of_tensors(program, _returned(output))
    rewrite(graph)
    by_name = {node.name: node for node in graph.nodes}
    users: list[Node] = []
    weights: dict[Node, torch.Tensor] = {}
    names: dict[Node, str] = {}
    for spec in program.graph_signature.input_specs:
        node = by_name[spec.arg.name]
        is_order = spec.kind == InputKind.TOKEN
        if is_order or not isinstance(node.meta.get("val"), torch.Tensor):
            continue
        is_user = spec.kind == InputKind.USER_INPUT
        if is_user:
            users.append(node)
        else:
            weights[node] = _value(program, spec.target)
        names[node] = node.name if is_user else (spec.target or node.name)
    returned = _returned(output)
    ordered: list[Node] = [returned[place] for place in places]
    skipped = ("placeholder", "output")
    nodes = [n for n in graph.nodes if n.op not in skipped and not _is_check(n)]
    return Exported(
        program, (*users, *weights), tuple(nodes), tuple(ordered), names, weights
    )


def _places_of_tensors(program: ExportedProgram, returned: Sequence[Any]) -> list[int]:
    """Where a graph returns tensors: the model's results, then what it writes.

    Numbers, sizes and None among the results are no tensors, nor are the tokens that
    keep ops with effects in order.
    """
    specs = program.graph_signature.output_specs
    is_written = [spec.kind != OutputKind.USER_OUTPUT for spec in specs]
    order = sorted(range(len(specs)), key=is_written.__getitem__)
    return [
        place
        for place in order
        if _is_tensor(returned[place]) and specs[place].kind != OutputKind.TOKEN
    ]


def _is_tensor(returned: Any) -> bool:
    found = isinstance(returned, Node) and returned.meta.get("val")
    return isinstance(found, torch.Tensor)


def _returned(output: Node) -> Sequence[Any]:
    """What a graph returns, in order."""
    return output.args[0]  # pyright: ignore[reportReturnType]


def _is_check(node: Node) -> bool:
    """Whether a node only checks its operands: torch.export adds such calls."""
    return str(node.target) in _CHECKS


def _value(program: ExportedProgram, name: str | None) -> torch.Tensor:
    """A parameter, a buffer, or a tensor that the model's code holds."""
    assert name is not None
    found = program.state_dict.get(name)
    return program.constants[name] if found is None else found  # pyright: ignore[reportReturnType]


def _as_module(function: Callable[..., Any]) -> torch.nn.Module:
    """A module with a function's own signature, if it has one."""

    def forward(self: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    with suppress(ValueError):  # functions that are not written in Python have none
        signature = inspect.signature(function)
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        given = [own, *signature.parameters.values()]
        forward.__signature__ = signature.replace(parameters=given)
    return type("Function", (torch.nn.Module,), {"forward": forward})()
