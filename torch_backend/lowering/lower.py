"""Lowers a list of nodes to a payload, with the layouts of its inputs and outputs."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import torch
from torch.fx import Node
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.codegen.program import Shapes
from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.payload import Payload
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail, located_at
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
)
from tilewright.ir.name_hints import name_hint
from tilewright.ir.text import to_text
from tilewright.torch_backend.lowering.dtypes import array_of, dtype_name
from tilewright.torch_backend.lowering.layouts import (
    Order,
    is_plain,
    memory_order,
    order_of,
    plain_order,
    traced_numbers,
)
from tilewright.torch_backend.lowering.model_lines import model_place
from tilewright.torch_backend.lowering.node_call import call_op, op_name, short_name
from tilewright.torch_backend.lowering.owned_writes import written_inputs
from tilewright.torch_backend.lowering.sizes import Sizes
from tilewright.torch_backend.ops.images.pooling import MOVED_BY_STRIDES


@dataclass(frozen=True)
class Lowered:
    """A payload, and how tensors of torch are seen by it."""

    payload: Payload
    inputs: tuple[Node, ...]
    """The nodes of its arguments, which are tensors."""
    input_orders: tuple[Order, ...]
    output_orders: tuple[Order, ...]
    origins: Mapping[Operation, Node] = field(default_factory=dict[Operation, Node])
    """The node that each op of the payload's function was made for."""
    shapes: Shapes | None = None
    """Where sizes stay open: the shapes of its arguments in the trace, if known."""

    @cached_property
    def text(self) -> str:
        """The text of its module."""
        return to_text(self.payload.unverified_module())


def lower(
    nodes: Sequence[Node],
    inputs: Sequence[Node],
    outputs: Sequence[Node],
    *,
    name: str = "graph",
    sizes: Sizes | None = None,
    names: Mapping[Node, str] | None = None,
    constants: Mapping[Node, torch.Tensor] | None = None,
    in_memory_order: bool = True,
) -> Lowered:
    """The payload of nodes in order; refusals raise `UserError` at the model's line.

    `inputs` that are not tensors are numbers that `sizes` knows. `names` of inputs are
    their names in the model. The payload holds the elements of `constants`. Arguments
    and results have their dimensions in the order of memory, or as the model has them.
    """
    ordered = order_of if in_memory_order else plain_order
    known = sizes or Sizes()
    payload = Payload(_clean(name))
    payload.builder.formulas = known.formulas
    values: dict[Node, Any] = {}
    tensors = [node for node in inputs if isinstance(node.meta["val"], torch.Tensor)]
    written = written_inputs(nodes)
    orders: list[Order] = []
    origins: dict[Operation, Node] = {}
    block = payload.builder.block
    for node in tensors:
        order = ordered(node.meta["val"])
        orders.append(order)
        if node in written and not _lies_plainly(node.meta["val"]):
            fail("it writes in place to a tensor with another order or with gaps")
        title, is_written = (names or {}).get(node), node in written
        values[node] = _input(payload, node, order, known, title, is_written)
    for node, value in (constants or {}).items():
        title = _clean((names or {}).get(node) or node.name)
        dtype = dtype_name(value.dtype)
        values[node] = payload.constant(title, array_of(value), dtype)
    for node in nodes:
        with located_at(model_place(node)):
            if node.target is operator.getitem:
                values[node] = values[node.args[0]][node.args[1]]  # pyright: ignore
            else:
                placed = _placed(node, outputs)
                values[node] = call_op(node, values, known, payload.builder, placed)
            if node in outputs and _is_pooled_copy(node):
                values[node] = _stored(values[node], order_of(node.meta["val"]))
        _note_origin(block, node, origins)
    output_orders: list[Order] = []
    given: set[SSAValue] = set()
    for node in outputs:
        order = ordered(node.meta["val"])
        output_orders.append(order)
        with located_at(model_place(node)):
            payload.output(_output(values[node], order, given))
        _note_origin(block, node, origins)
    if outputs:
        payload.drop_unread()
    return Lowered(
        payload,
        tuple(tensors),
        tuple(orders),
        tuple(output_orders),
        origins,
        _shapes(payload, tensors, orders),
    )


def _placed(node: Node, outputs: Sequence[Node]) -> Order | None:
    """The order in memory of a node that only leaves the payload."""
    while node not in outputs:
        readers = list(node.users)
        if len(readers) != 1 or readers[0].target is not torch.ops.aten.clone.default:
            return None
        node = readers[0]
    leaves = all(user.op == "output" for user in node.users)
    return order_of(node.meta["val"]) if leaves else None


def _is_pooled_copy(node: Node) -> bool:
    """Whether a node is a copy in an order that its poolings read best."""
    return node.target is torch.ops.aten.clone.default and any(
        str(user.target) in MOVED_BY_STRIDES for user in node.users
    )


def _stored(tensor: Tensor, order: Order) -> Tensor:
    """A view of the tensor in its memory order, which its readers read then."""
    if is_plain(order):
        return tensor
    return tensor.transpose(*order).materialized().transpose(*inverse(order))


def _shapes(
    payload: Payload, tensors: Sequence[Node], orders: Sequence[Order]
) -> Shapes | None:
    """The shapes that arguments of open sizes had in the trace."""
    if all(isinstance(size, int) for given in payload.inputs for size in given.shape):
        return None
    shapes = [traced_numbers(node.meta["val"].shape) for node in tensors]
    if any(shape is None for shape in shapes):
        return None
    return tuple(
        tuple(shape[dim] for dim in order)
        for shape, order in zip(shapes, orders, strict=True)
        if shape is not None
    )


def _note_origin(block: Block, node: Node, origins: dict[Operation, Node]) -> None:
    """Note the node that the newest ops at the end of a block were made for.

    Plans and kernels are named after the ops, and so they get torch's names.
    """
    name = name_hint(short_name(op_name(node)))
    op = block.last_op
    while op is not None and op not in origins:
        origins[op] = node
        if isinstance(op, StructuredOp):
            for result in op.results:
                result.name_hint = name
        op = op.prev_op


def _input(
    payload: Payload,
    node: Node,
    order: Order,
    sizes: Sizes,
    name: str | None,
    is_written: bool,
) -> Tensor:
    value = node.meta["val"]
    shape = sizes.shape(value.shape)
    placed = [shape[dim] for dim in order]
    taken = {tensor.name for tensor in payload.inputs}
    name = _unique(_clean(name or node.name), taken)
    dtype = dtype_name(value.dtype)
    made = payload.input(name, placed, dtype, writable=is_written)
    known = [size for size in placed if isinstance(size, int)]
    if len(known) == len(placed) > 0 and shape[-1] == 1 and max(known) > 1:
        # A number for each channel, say: ops have no loops along sizes of 1.
        made = made.reshape(*known)
    return made if is_plain(order) else made.transpose(*inverse(order))


def _lies_plainly(tensor: torch.Tensor) -> bool:
    """Whether a tensor is contiguous, as a payload writes it in its place."""
    strides = traced_numbers(tensor.stride())
    shape = traced_numbers(tensor.shape)
    if shape is None or strides is None:
        return False
    order = memory_order(shape, strides)
    return order is not None and is_plain(order_of(tensor))


def _output(tensor: Tensor, order: Order, given: set[SSAValue]) -> Tensor:
    """The tensor in its memory order.

    An argument, a constant, a part of a tensor, or a tensor that is an output
    already, is copied.
    """
    placed = tensor if is_plain(order) else tensor.transpose(*order)
    placed = placed.materialized()
    source = _source(placed)
    is_given = isinstance(source, BlockArgument) or source in given
    if is_given or isinstance(source.owner, ConstantOp | ExtractSliceOp):
        placed = elementwise(lambda x: x, placed).materialized()
        source = _source(placed)
    given.add(source)
    return placed


def _source(tensor: Tensor) -> SSAValue:
    """The value behind reshapes."""
    source = tensor.value
    while isinstance(source.owner, CollapseShapeOp | ExpandShapeOp):
        source = source.owner.operands[0]
    return source


def _clean(name: str) -> str:
    """A name that the payload's text can have: `clamp_min_1_2` is `clamp_min12`."""
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "value"
    plain = f"v{plain}" if plain[0].isdigit() else plain
    ending = re.search(r"[\d_]*$", plain)
    assert ending is not None
    return plain[: ending.start()] + ending[0].replace("_", "")


def _unique(name: str, taken: set[str]) -> str:
    found, endings = name, count(2)
    while found in taken:
        found = f"{name}_v{next(endings)}"
    return found
