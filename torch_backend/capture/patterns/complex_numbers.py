"""Complex numbers are computed as two real ones: payloads have no complex types.

    z = view_as_complex(x.unflatten(-1, (-1, 2)))      a rotary embedding
    view_as_real(z * rotation).flatten(-2)

becomes

    a, b = x[..., 0], x[..., 1]                        and c, d of the rotation
    stack([a * c - b * d, a * d + b * c], -1).flatten(-2)

Ops that only move numbers follow what computes with their results. Ops that have no
formula in `complex_formulas.py`, such as Fourier transforms, read a complex view of the
two parts and stay in torch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import erase_unread, replace_node
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.patterns.complex_formulas import (
    COMPLEX,
    REAL,
    Calls,
    Part,
    Parts,
)

aten = torch.ops.aten
_RESHAPES = (aten.view.default, aten._unsafe_view.default, aten.reshape.default)
"""The two parts of a number lie apart: a view of them may need a copy."""
_MOVES = (
    *_RESHAPES,
    aten.alias.default,
    aten.cat.default,
    aten.clone.default,
    aten.constant_pad_nd.default,
    aten.detach.default,
    aten.expand.default,
    aten.flip.default,
    aten.gather.default,
    aten.index.Tensor,
    aten.index_select.default,
    aten.permute.default,
    aten.select.int,
    aten.select_scatter.default,
    aten.slice.Tensor,
    aten.slice_scatter.default,
    aten.squeeze.dim,
    aten.squeeze.dims,
    aten.t.default,
    aten.transpose.int,
    aten.unsqueeze.default,
)
_NONE = ((), (0,))
"""What a pad is filled with."""
_CASTS = (aten._to_copy.default, torch.ops.prims.convert_element_type.default)
_ZEROS = (aten.new_zeros.default, aten.zeros.default, aten.zeros_like.default)


def split_complex(graph: Graph) -> None:
    """Compute with the parts of complex numbers where payloads can."""
    if any(map(_is_complex, graph.nodes)):
        split = _Split(graph)
        for node in list(graph.nodes):
            split.visit(node)
        split.finish()


def _is_complex(node: Node) -> bool:
    value = node.meta.get("val")
    return isinstance(value, torch.Tensor) and value.dtype is torch.complex64


class _Split(Calls):
    """The parts of a graph's complex numbers."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._parts: dict[Node, Parts | None] = {}
        self._computed: dict[Node, Parts] = {}
        """Complex nodes that formulas take the place of."""
        self._made: list[Node] = []
        self._like: Node | None = None

    def visit(self, node: Node) -> None:
        """Compute one node by parts, if it computes with complex numbers."""
        self._like = node
        with self._graph.inserting_before(node):
            if _is_complex(node):
                self._compute(node)
            elif any(map(_is_complex, node.all_input_nodes)):
                self._compute_real(node)

    def _compute(self, node: Node) -> None:
        """Find the parts of a node by its formula."""
        operands = self._operands(node) if node.target in COMPLEX else None
        if operands is None:
            return
        found = COMPLEX[node.target](self, *operands, **node.kwargs)
        parts = None if found is None else self._spread(found, node)
        if parts is not None:
            self._parts[node] = self._computed[node] = parts

    def _compute_real(self, node: Node) -> None:
        """Let a node that gives real numbers, or a size, read parts."""
        given = node.args[0]
        is_view = node.target in (aten.view_as_real.default, aten.sym_size.int)
        if is_view and not self._is_computed(given):
            return
        operands = self._operands(node)
        if operands is None:
            return
        if node.target is aten.sym_size.int:
            node.replace_input_with(node.all_input_nodes[0], operands[0][0])
        elif node.target in REAL:
            made = REAL[node.target](self, *operands, **node.kwargs)
            if made is not None and _fits(made, node, node.meta["val"].dtype):
                replace_node(self._graph, node, made)

    def _operands(self, node: Node) -> list[Any] | None:
        """The parts of all operands; None if those of one are not known."""
        found = [self._of(one) for one in node.args]
        return None if any(one is None for one in found) else found

    def finish(self) -> None:
        """Make complex tensors of parts for the ops that still read them."""
        for node, parts in reversed(self._computed.items()):
            # What moves this node's numbers was followed, and has no readers now.
            followed = [one for one in self._parts if not one._erased]
            erase_unread(self._graph, reversed(followed))
            if node._erased:
                continue
            self._like = node
            with self._graph.inserting_before(node):
                made = self.call(aten.view_as_complex.default, self.pairs(parts))
                replace_node(self._graph, node, made)
        erase_unread(self._graph, reversed(self._made))

    def call(self, op: Any, *args: Any, **kwargs: Any) -> Node:
        """A call before the node that is visited."""
        assert self._like is not None
        made = add_call(self._graph, self._like, op, *args, **kwargs)
        self._made.append(made)
        return made

    def _of(self, given: Any) -> Any:
        """The parts of an operand, or the number that it is; None if nobody knows."""
        if isinstance(given, complex):
            return given.real, given.imag
        if not isinstance(given, Node):
            return given if isinstance(given, list | tuple) else (given, None)
        if not _is_complex(given):
            value = given.meta.get("val")
            is_wide = isinstance(value, torch.Tensor) and value.is_complex()
            return None if is_wide else (given, None)
        if given not in self._parts:
            parts = self._found(given)
            self._parts[given] = None if parts is None else self._spread(parts, given)
        return self._parts[given]

    def _found(self, node: Node) -> Parts | None:
        """The parts of a complex tensor that no formula computed."""
        if node.target is aten.view_as_complex.default:
            return self._halves(node.args[0])
        if node.target in _MOVES:
            return self._moved(node)
        if node.target in _ZEROS:
            args = torch.fx.map_arg(node.args, self._real_part)
            return self.call(
                node.target, *args, **{**node.kwargs, "dtype": torch.float32}
            ), None
        if node.target is aten._conj.default:
            parts = self._of(node.args[0])
            return None if parts is None else (parts[0], self.neg(parts[1]))
        if node.target in _CASTS and set(node.kwargs) <= {"dtype"}:
            parts = self._of(node.args[0])
            if parts is None or parts[1] is not None:
                return parts
            real = self.call(aten._to_copy.default, parts[0], dtype=torch.float32)
            return real, None
        return self._given(node)

    def _given(self, node: Node) -> Parts:
        """The parts of a tensor that torch computed, or that the caller gives."""
        is_turned = node.meta["val"].is_conj()
        plain = self.call(aten._conj.default, node) if is_turned else node
        if node.op == "placeholder":
            # A gradient may be a conjugate that nobody has written out yet.
            plain = self.call(aten.resolve_conj.default, plain)
        real, imaginary = self._halves(self.call(aten.view_as_real.default, plain))
        return real, self.neg(imaginary) if is_turned else imaginary

    def _real_part(self, node: Node) -> Node:
        parts = self._of(node) if _is_complex(node) else None
        return node if parts is None else parts[0]

    def _moved(self, node: Node) -> Parts | None:
        """The same move of both parts."""
        if node.target is aten.constant_pad_nd.default and node.args[2:] not in _NONE:
            return None
        given: dict[Node, Parts] = {}
        for one in filter(_is_complex, node.all_input_nodes):
            parts = self._of(one)
            if parts is None:
                return None
            given[one] = parts
        target = aten.reshape.default if node.target in _RESHAPES else node.target
        kwargs = {} if target is aten.clone.default else dict(node.kwargs)

        def side(place: int) -> Node:
            args = torch.fx.map_arg(
                node.args, lambda one: given[one][place] if one in given else one
            )
            return self.call(target, *args, **kwargs)

        return side(0), side(1)

    def _halves(self, pairs: Any) -> Parts:
        """The parts of a tensor of pairs."""
        real, imaginary = (self.call(aten.select.int, pairs, -1, i) for i in (0, 1))
        return real, imaginary

    def _is_computed(self, given: Any) -> bool:
        """Whether a formula gives an operand, or what it is moved from."""
        if given in self._computed:
            return True
        is_move = given.target in _MOVES or given.target is aten._conj.default
        return is_move and any(map(self._is_computed, given.all_input_nodes))

    def _spread(self, parts: Parts, node: Node) -> Parts | None:
        """Parts as two tensors of one shape; None if they are not what a node gives."""
        real, imaginary = parts
        if not _fits(real, node, torch.float32):
            return None
        if imaginary is None:
            imaginary = self.call(aten.full_like.default, real, 0.0)
        elif not _fits(imaginary, node, torch.float32):
            ones = self.call(aten.full_like.default, real, 1.0)
            imaginary = self.call(aten.mul.Tensor, ones, imaginary)
        return real, imaginary


def _fits(made: Part, node: Node, dtype: torch.dtype) -> bool:
    """Whether a part is a tensor of a node's shape, of an element type."""
    if not isinstance(made, Node):
        return False
    own, new = node.meta["val"], made.meta["val"]
    return new.dtype is dtype and tuple(new.shape) == tuple(own.shape)
