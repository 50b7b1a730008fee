"""`tilewright.from_torch`: a payload from a torch module or function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.frontend.builder.payload import Payload
from tilewright.frontend.builder.sizes import Size

if TYPE_CHECKING:
    import torch
    from torch.export import ExportedProgram

    from tilewright.torch_backend.capture.exported import Exported


def from_torch(
    model: torch.nn.Module | Callable[..., Any] | ExportedProgram,
    example_args: Sequence[Any] = (),
    dynamic_shapes: Any = None,
    *,
    name: str | None = None,
) -> Payload:
    """The payload of a module: its inputs first, then its weights, all as arguments.

    `dynamic_shapes` is that of `torch.export`: its dimensions stay open. Ops that are
    no payload raise `UserError` with their names and the model's lines. An exported
    program needs no arguments.
    """
    from torch.export import ExportedProgram

    from tilewright.torch_backend.capture.exported import export, read_exported

    if isinstance(model, ExportedProgram):
        return _payload(read_exported(model), name or "model")
    title = name or getattr(model, "__name__", type(model).__name__)
    return _payload(export(model, example_args, dynamic_shapes), title.lower())


def _payload(exported: Exported, name: str) -> Payload:
    from tilewright.torch_backend.lowering.lower import lower
    from tilewright.torch_backend.lowering.model_lines import model_place
    from tilewright.torch_backend.lowering.node_call import op_name
    from tilewright.torch_backend.lowering.sizes import Sizes, symbols_of
    from tilewright.torch_backend.partition.support import (
        is_item,
        is_number,
        main_device,
        why_not,
    )
    from tilewright.torch_backend.report import Stayed
    from tilewright.torch_backend.runtime.program import refusal

    nodes = [node for node in exported.nodes if not is_number(node)]
    device = main_device([*exported.inputs, *nodes])
    stayed: list[Stayed] = []
    for node in nodes:
        reason = None if is_item(node) else why_not(node, device).reason
        if reason is not None:
            stayed.append(Stayed(op_name(node), reason, model_place(node)))
    if stayed:
        error = refusal(name, stayed)
        error.remedy = 'torch.compile(model, backend="tilewright") leaves them to torch'
        raise error
    symbols: set[Any] = set()
    for node in (*exported.inputs, *nodes):
        symbols |= symbols_of(node.meta.get("val"))
    named: dict[Any, Size] = {symbol: str(symbol).upper() for symbol in symbols}
    return lower(
        nodes,
        exported.inputs,
        exported.outputs,
        name=name,
        sizes=Sizes(named),
        names=exported.names,
    ).payload
