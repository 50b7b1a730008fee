"""Steps of a graph: elements at places that are computed."""

from __future__ import annotations

from fuzz.kernels.graph_text import GraphText, Value
from fuzz.kernels.text import is_float


def gather(graph: GraphText) -> None:
    """Elements of a value at reversed places, written over the same value."""
    a = graph.pick(lambda v: len(v.shape) == 1)
    if len(a.shape) != 1:
        return
    body = [
        "%i = linalg.index 0 : index",
        f"%last = arith.constant {a.shape[0] - 1} : index",
        "%at = arith.subi %last, %i : index",
        f"%e = tensor.extract {a.name}[%at] : {graph.type(a)}",
        f"%s = {graph.op('add')} %e, %y0 : {graph.dtype}",
    ]
    cut = graph.bounded(body, "%s")
    (name,) = graph.text.generic(
        1, [], [(a.name, graph.type(a), [0])], [], body, [(cut, graph.dtype)]
    )
    graph.values.append(Value(name, a.shape))


def element(graph: GraphText) -> None:
    """One element of a value, at a place that a single number names."""
    a = graph.pick(lambda v: len(v.shape) in (1, 2))
    place, of = graph.of_shape(()), graph.dtype
    if not a.shape:
        return
    least = min(a.shape) - 1
    body = ["%w = arith.addi %x0, %x0 : i32"]
    if is_float(of):
        body = [f"%w = arith.fptosi %x0 : {of} to i32"]
    body += [
        "%zero = arith.constant 0 : i32",
        f"%most = arith.constant {least} : i32",
        "%p = arith.maxsi %w, %zero : i32",
        "%q = arith.minsi %p, %most : i32",
        "%at = arith.index_cast %q : i32 to index",
        f"%e = tensor.extract {a.name}[{', '.join(['%at'] * len(a.shape))}] : "
        f"{graph.type(a)}",
        f"%s = {graph.op('add')} %e, {graph.random.choice(('%e', '%x0', '%y0'))} : "
        f"{of}",
    ]
    cut = graph.bounded(body, "%s")
    out = graph.of_shape(())
    (name,) = graph.text.generic(
        0,
        [(place.name, graph.type(place), [])],
        [(out.name, graph.type(out), [])],
        [],
        body,
        [(cut, of)],
    )
    graph.values.append(Value(name, ()))


def scatter(graph: GraphText) -> None:
    """Each element goes to the row that its number names, added to a value."""
    a = graph.pick(lambda v: len(v.shape) == 1)
    if len(a.shape) != 1 or graph.dtype == "f16":
        return
    out = graph.of_shape((graph.random.choice((3, 8, *a.shape)),))
    of = graph.dtype
    body = [
        f"%r = arith.{'fptosi' if is_float(of) else 'addi'} %x0"
        + (f" : {of} to i32" if is_float(of) else f", %x0 : {of}"),
        "%n = linalg.index 0 : index",
        "%own = arith.index_cast %n : index to i32",
        "%here = arith.cmpi eq, %r, %own : i32",
        f"%zero = arith.constant {graph.number(0)} : {of}",
        f"%v = arith.select %here, %x0, %zero : {of}",
        f"%s = {graph.op('max')} %y0, %v : {of}",
    ]
    (name,) = graph.text.generic(
        2,
        [(a.name, graph.type(a), [1])],
        [(out.name, graph.type(out), [0])],
        [1],
        body,
        [("%s", of)],
    )
    graph.values.append(Value(name, out.shape))
