"""The structured ops of a payload as nodes, with what each takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import func, tensor
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.errors import Place
from tilewright.ir.nest.homes import bytes_of, home_of
from tilewright.ir.nest.live import live_ops
from tilewright.ir.nest.moves import flops_of, read_by
from tilewright.ir.nest.names import Names, type_text, verb_of
from tilewright.ir.text import place_of


@dataclass(frozen=True)
class Boundary:
    """An argument of the function, or a result: the node or argument that it is."""

    name: str
    type: str
    bytes: int | None
    source: int | str | None = None
    """Of a result: the node, or the argument, that it comes from."""


@dataclass(frozen=True)
class OpFacts:
    """One op of the payload."""

    id: int
    name: str
    verb: str
    type: str
    bytes: int | None
    """Of its result."""
    flops: int | None
    place: Place | None
    places: frozenset[tuple[str, int, int]]
    """Its place and those of the ops in its body."""
    inputs: tuple[int | str, ...]
    """Nodes by their ids, arguments by their names."""


@dataclass
class PayloadGraph:
    """The ops of all functions of a payload."""

    nodes: list[OpFacts] = field(default_factory=list[OpFacts])
    arguments: list[Boundary] = field(default_factory=list[Boundary])
    results: list[Boundary] = field(default_factory=list[Boundary])


def payload_graph(
    payload: ModuleOp, number: Callable[[Operation], int]
) -> PayloadGraph:
    """The graph of a payload; `number` numbers its ops."""
    graph = PayloadGraph()
    for op in payload.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            _Reader(graph, number).read(op)
    return graph


class _Reader:
    """Reads one function."""

    def __init__(self, graph: PayloadGraph, number: Callable[[Operation], int]):
        self._graph = graph
        self._number = number
        self._names = Names()
        self._made: dict[Operation, int] = {}

    def read(self, function: func.FuncOp) -> None:
        """Add the arguments, the ops and the results of a function."""
        block = function.body.block
        for argument in block.args:
            if isinstance(argument.type, ShapedType):
                name = self._names.name(argument)
                self._graph.arguments.append(
                    Boundary(name, type_text(argument), bytes_of(argument))
                )
        live = live_ops(block)
        for op in block.ops:
            if op in live and isinstance(op, _SHOWN) and not isinstance(op, FillOp):
                self._graph.nodes.append(self._node(op))
        if (last := block.last_op) is not None:
            for value in last.operands:
                source = self._source(value)
                name = self._names.name(value)
                self._graph.results.append(
                    Boundary(name, type_text(value), bytes_of(value), source)
                )

    def _node(self, op: Operation) -> OpFacts:
        number = self._made[op] = self._number(op)
        result = op.results[0] if op.results else op.operands[-1]
        sources = [self._source(value) for value, _ in read_by(op)]
        places = [place_of(each) for each in op.walk()]
        return OpFacts(
            number,
            self._names.name(result),
            verb_of(op),
            type_text(result),
            bytes_of(result),
            flops_of(op),
            place_of(op),
            frozenset((p.file, p.line, p.column) for p in places if p is not None),
            tuple(dict.fromkeys(source for source in sources if source is not None)),
        )

    def _source(self, value: SSAValue) -> int | str | None:
        """The node or the argument that a value comes from; None for a constant."""
        home = home_of(value).value
        if isinstance(home, BlockArgument):
            return self._names.name(home)
        owner = home.owner
        assert isinstance(owner, Operation)
        if owner in self._made:
            return self._made[owner]
        if isinstance(owner, tensor.InsertSliceOp):
            return self._source(owner.source)
        return None


_SHOWN = (StructuredOp, SoftmaxOp, tensor.PadOp, tensor.ConcatOp)


def all_places(graph: PayloadGraph) -> Iterator[tuple[tuple[str, int, int], int]]:
    """Every place of the payload, with the node that has it."""
    for node in graph.nodes:
        for place in node.places:
            yield place, node.id
