"""Graphs whose ops write into tensors that are also read.

The output of an op is often one of its inputs, the result of another op that is still
needed, an argument of the function, or a part or a view of such a tensor; maps permute
it. A tensor is a value, so each reader must see the contents from before the write.
Whoever shares a buffer between two of them must prove that, and else copies.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz.kernels.graph_places import element, gather, scatter
from fuzz.kernels.graph_text import GraphText, Value
from fuzz.kernels.graph_views import concat, overlap, pad, part, row, view
from fuzz.schedules.cases import Case

Step = Callable[[GraphText], None]


def random_graph(random: Random) -> Case:
    """A function of two to six such ops, which returns one to three values."""
    graph = GraphText(random)
    steps: list[Step] = [elementwise] * 5
    steps += [reduction, reduction, product, named, named]
    steps += [fill, part, part, overlap, overlap]
    steps += [view, pad, concat, row]
    steps += [gather, scatter, element]
    for _ in range(random.randint(2, 6)):
        random.choice(steps)(graph)
    others = random.randint(0, 2)
    returned = [graph.values[-1], *(graph.pick() for _ in range(others))]
    named_values = [(value.name, graph.type(value)) for value in returned]
    return graph.text.case("graph", named_values, True)


def elementwise(graph: GraphText) -> None:
    """One or two results; inputs and outputs by any permutation of the loops."""
    random = graph.random
    first = graph.pick()
    extents = list(first.shape)
    random.shuffle(extents)
    ins = [first]
    for _ in range(random.randint(0, 2)):
        ins.append(graph.pick(lambda v: graph.fits(v, extents)))
    ins = [v for v in ins if graph.fits(v, extents)]
    outs: list[tuple[Value, list[int]]] = []
    for _ in range(random.choice((1, 1, 1, 2))):
        order = random.sample(range(len(extents)), len(extents))
        shape = tuple(extents[i] for i in order)
        same = [v for v in ins if v.shape == shape]
        out = random.choice(same) if same and random.random() < 0.6 else None
        outs.append((out or graph.destination(shape), order))
    graph.generic(extents, ins, outs, [])


def reduction(graph: GraphText) -> None:
    """A sum or maximum along some loops, started from a value."""
    random = graph.random
    first = graph.pick(lambda v: len(v.shape) >= 1)
    extents = list(first.shape)
    if not extents:
        return
    reduced = random.sample(range(len(extents)), random.randint(1, len(extents)))
    kept = [i for i in range(len(extents)) if i not in reduced]
    random.shuffle(kept)
    ins = [first]
    if random.random() < 0.4:
        ins.append(graph.pick(lambda v: graph.fits(v, extents)))
    ins = [v for v in ins if graph.fits(v, extents)]
    outs = [
        (graph.destination(tuple(extents[i] for i in kept)), kept)
        for _ in range(random.choice((1, 1, 1, 2)))
    ]
    graph.generic(extents, ins, outs, reduced)


def product(graph: GraphText) -> None:
    """A product of a square matrix with itself or another, into either of them."""
    square = [v for v in graph.values if len(v.shape) == 2 and len({*v.shape}) == 1]
    a = graph.random.choice(square[-3:])
    b, c = graph.of_shape(a.shape), graph.of_shape(a.shape)
    c = graph.random.choice([a, b, c])
    of = graph.type(a)
    body = list[str]()
    made = Value(graph.text.name(), a.shape)
    graph.text.lines.append(
        f"{made.name} = linalg.matmul ins({a.name}, {b.name} : {of}, {of}) "
        f"outs({c.name} : {of}) -> {of}"
    )
    cut = graph.bounded(body, "%x0")
    (name,) = graph.text.generic(
        2, [(made.name, of, [0, 1])], [(made.name, of, [0, 1])], [], body,
        [(cut, graph.dtype)],
    )  # fmt: skip
    graph.values.append(Value(name, a.shape))


def named(graph: GraphText) -> None:
    """A named op whose output is an input, or a value with other readers."""
    a = graph.pick()
    of, rank = graph.type(a), len(a.shape)
    match graph.random.choice(("max", "copy", "transpose", "transpose", "reduce")):
        case "max":
            b, c = graph.of_shape(a.shape), graph.of_shape(a.shape)
            graph.line(
                a.shape,
                f"linalg.max ins({a.name}, {b.name} : {of}, {of}) "
                f"outs({c.name} : {of}) -> {of}",
            )
        case "transpose" if rank > 1:
            order = graph.random.sample(range(rank), rank)
            shape = tuple(a.shape[i] for i in order)
            c = a if shape == a.shape else graph.destination(shape)
            graph.line(
                shape,
                f"linalg.transpose ins({a.name} : {of}) "
                f"outs({c.name} : {graph.type(c)}) permutation = {order}",
            )
        case "reduce" if rank:
            axis = graph.random.randrange(rank)
            shape = a.shape[:axis] + a.shape[axis + 1 :]
            c = graph.destination(shape)
            graph.line(
                shape,
                f"linalg.reduce {{ {graph.op('max')} }} ins({a.name} : {of}) "
                f"outs({c.name} : {graph.type(c)}) dimensions = [{axis}]",
            )
        case _:
            c = graph.of_shape(a.shape)
            graph.line(
                a.shape,
                f"linalg.copy ins({a.name} : {of}) outs({c.name} : {of}) -> {of}",
            )


def fill(graph: GraphText) -> None:
    """Numbers over a value that others may still read."""
    a, number = graph.pick(), graph.text.name()
    graph.text.lines.append(
        f"{number} = arith.constant {graph.number(3)} : {graph.dtype}"
    )
    of = graph.type(a)
    graph.line(
        a.shape,
        f"linalg.fill ins({number} : {graph.dtype}) outs({a.name} : {of}) -> {of}",
    )
