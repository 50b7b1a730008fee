"""`tilewright.from_torch`: a payload from a torch module or function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from tilewright.frontend.builder.payload import Payload
from tilewright.frontend.builder.sizes import Size
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch
    from torch.export import ExportedProgram
    from torch.fx import Node

    from tilewright.torch_backend.capture.exported import Exported
    from tilewright.torch_backend.report import Stayed

Weights: TypeAlias = Literal["arguments", "constants"]
_MOST_BYTES = 64 << 20
"""Constants of more bytes than this are refused: the payload's text holds them."""


def from_torch(
    model: torch.nn.Module | Callable[..., Any] | ExportedProgram,
    example_args: Sequence[Any] = (),
    dynamic_shapes: Any = None,
    *,
    example_kwargs: Mapping[str, Any] | None = None,
    name: str | None = None,
    weights: Weights | str = "arguments",
) -> Payload:
    """The payload of a module: its inputs first, then its weights, all as arguments.

    Its results are the tensors that the module returns, then those that it writes: a
    payload writes nothing. With `weights="constants"` the payload holds the weights
    instead, and what depends on them alone is computed ahead.

    `dynamic_shapes` is that of `torch.export`: its dimensions stay open. Ops that are
    no payload raise `UserError` with their names and the model's lines. An exported
    program needs no arguments.
    """
    import torch
    from torch.export import ExportedProgram

    from tilewright.torch_backend.capture.exported import export, read_exported

    if not callable(model) and not isinstance(model, ExportedProgram):
        fact = f"{type(model).__name__} is no model"
        raise UserError(fact, remedy="give a module, a function or an exported program")
    if isinstance(example_args, torch.Tensor):
        raise UserError("example_args is a tensor", remedy="write (x,)")
    if weights not in get_args(Weights):
        raise UserError(
            f"weights is {weights!r}", remedy="write 'arguments' or 'constants'"
        )
    if isinstance(model, ExportedProgram):
        exported, title = read_exported(model), name or "model"
    else:
        title = name or getattr(model, "__name__", type(model).__name__).lower()
        exported = export(model, example_args, dynamic_shapes, example_kwargs)
    return _payload(exported, title, weights)


def _payload(exported: Exported, name: str, weights: str) -> Payload:
    from tilewright.torch_backend.capture.folding import fold
    from tilewright.torch_backend.lowering.lower import lower
    from tilewright.torch_backend.lowering.sizes import Sizes, symbols_of
    from tilewright.torch_backend.partition.support import is_number
    from tilewright.torch_backend.runtime.program import refusal

    constants: Mapping[Node, torch.Tensor] = {}
    holds_weights = weights == "constants"
    stayed = _stayed(exported)
    if stayed or holds_weights:
        # An op that is no payload is none of the payload's if it is computed ahead.
        folded = fold(exported, weights=holds_weights)
        exported, constants = folded.exported, folded.constants
        _check_bytes(name, constants)
        stayed = _stayed(exported)
    if stayed:
        error = refusal(name, stayed)
        error.remedy = 'torch.compile(model, backend="tilewright") leaves them to torch'
        raise error
    if not exported.outputs:
        raise UserError(f"{name}: the model returns no tensor", remedy="return one")
    nodes = [node for node in exported.nodes if not is_number(node)]
    named: dict[Any, Size] = {}
    for node in (*exported.inputs, *nodes):
        # torch numbers symbols in an order that changes between processes.
        for symbol in sorted(symbols_of(node.meta.get("val")) - {*named}, key=str):
            named[symbol] = f"S{len(named)}"
    return lower(
        nodes,
        exported.inputs,
        exported.outputs,
        name=name,
        sizes=Sizes(named),
        names=exported.names,
        constants=constants,
        in_memory_order=False,
    ).payload


def _stayed(exported: Exported) -> list[Stayed]:
    """The nodes that are no payload."""
    from tilewright.torch_backend.lowering.model_lines import model_place
    from tilewright.torch_backend.lowering.node_call import op_name
    from tilewright.torch_backend.partition.support import (
        is_item,
        is_number,
        main_device,
        why_not,
    )
    from tilewright.torch_backend.report import Stayed

    nodes = [node for node in exported.nodes if not is_number(node)]
    device = main_device([*exported.inputs, *nodes])
    found: list[Stayed] = []
    for node in nodes:
        reason = None if is_item(node) else why_not(node, device).reason
        if reason is not None:
            found.append(Stayed(op_name(node), reason, model_place(node)))
    return found


def _check_bytes(name: str, constants: Mapping[Node, torch.Tensor]) -> None:
    size = sum(value.numel() * value.element_size() for value in constants.values())
    if size > _MOST_BYTES:
        raise UserError(
            f"{name}: weights of {size >> 20} MiB do not fit a payload's text, whose "
            f"limit is {_MOST_BYTES >> 20} MiB",
            remedy="write weights='arguments'",
        )
