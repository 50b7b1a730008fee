"""From the lines of a payload's ops back to the nodes that they were made for."""

from __future__ import annotations

from torch.fx import Node

from tilewright.ir.dialects.func import FuncOp
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.torch_backend.compiling.planned_program import PAYLOAD, number_ops
from tilewright.torch_backend.lowering.lower import Lowered


def nodes_by_line(lowered: Lowered) -> dict[int, Node]:
    """The node that each op of the payload was made for, by the op's line."""
    module = lowered.payload.module
    number_ops(module)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    found: dict[int, Node] = {}
    made = zip(lowered.payload.builder.block.ops, function.body.block.ops, strict=False)
    for op, copy in made:
        if op not in lowered.origins:
            continue
        # Merged ops have the bodies of several, with their lines.
        for place in map(place_of, copy.walk()):
            if place is not None:
                found[place.line] = lowered.origins[op]
    return found


def refused_node(lowered: Lowered, error: Exception) -> Node | None:
    """The node whose op a refusal is about, if it names a line of the payload."""
    if not isinstance(error, UserError):
        return None
    places = [error.place, *(note.place for note in error.notes)]
    lines = [one.line for one in places if one is not None and one.file == PAYLOAD]
    nodes = nodes_by_line(lowered) if lines else {}
    return next((nodes[line] for line in lines if line in nodes), None)
