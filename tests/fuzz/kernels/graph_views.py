"""Steps of a graph: parts of tensors, and tensors in other shapes."""

from __future__ import annotations

from fuzz.kernels.graph_text import GraphText, Value


def part(graph: GraphText) -> None:
    """A slice, or a value put into another one, perhaps a part of itgraph."""
    a = graph.pick(lambda v: len(v.shape) > 0)
    if not a.shape:
        return
    where, sizes = graph.slice(a.shape)
    if graph.random.random() < 0.4:
        graph.line(
            sizes,
            f"tensor.extract_slice {a.name}{where} : {graph.type(a)} to "
            f"{graph.kind(sizes)}",
        )
        return
    b = graph.of_shape(sizes)
    graph.line(
        a.shape,
        f"tensor.insert_slice {b.name} into {a.name}{where} : {graph.type(b)} into "
        f"{graph.type(a)}",
    )


def row(graph: GraphText) -> None:
    """A row or a column without its dimension, taken out or put in."""
    a = graph.pick(lambda v: len(v.shape) == 2)
    if len(a.shape) != 2:
        return
    axis = graph.random.randrange(2)
    sizes = [1 if dim == axis else size for dim, size in enumerate(a.shape)]
    offsets = [0, 0]
    offsets[axis] = graph.random.randrange(a.shape[axis])
    where, shape = f"{offsets} {sizes} [1, 1]", (a.shape[1 - axis],)
    if graph.random.random() < 0.5:
        text = f"tensor.extract_slice {a.name}{where} : {graph.type(a)} to "
        graph.line(shape, text + graph.kind(shape))
        return
    b = graph.of_shape(shape)
    graph.line(
        a.shape,
        f"tensor.insert_slice {b.name} into {a.name}{where} : {graph.type(b)} into "
        f"{graph.type(a)}",
    )


def overlap(graph: GraphText) -> None:
    """An op from one part of a value into another part of it, put back there."""
    a = graph.pick(lambda v: len(v.shape) > 0)
    if not a.shape:
        return
    lengths = [graph.random.randint(1, size) for size in a.shape]
    parts: list[tuple[Value, str]] = []
    for _ in range(2):
        starts = [
            graph.random.randint(0, size - length)
            for size, length in zip(a.shape, lengths, strict=True)
        ]
        where = f"{starts} {lengths} {[1] * len(lengths)}"
        text = f"tensor.extract_slice {a.name}{where} : {graph.type(a)} to "
        parts.append((graph.line(lengths, text + graph.kind(lengths)), where))
    (source, _), (target, where) = parts
    order = list(range(len(lengths)))
    graph.generic(lengths, [source], [(target, order)], [])
    made = graph.values[-1]
    graph.line(
        a.shape,
        f"tensor.insert_slice {made.name} into {a.name}{where} : "
        f"{graph.type(made)} into {graph.type(a)}",
    )


def view(graph: GraphText) -> None:
    """A value in another shape, which ops write into as into any other."""
    a = graph.pick(lambda v: len(v.shape) in (1, 2))
    if len(a.shape) == 2:
        shape = (a.shape[0] * a.shape[1],)
        graph.line(
            shape,
            f"tensor.collapse_shape {a.name} [[0, 1]] : {graph.type(a)} into "
            f"{graph.kind(shape)}",
        )
    elif len(a.shape) == 1 and a.shape[0] % graph.n == 0:
        shape = (a.shape[0] // graph.n, graph.n)
        graph.line(
            shape,
            f"tensor.expand_shape {a.name} [[0, 1]] output_shape {list(shape)} : "
            f"{graph.type(a)} into {graph.kind(shape)}",
        )


def pad(graph: GraphText) -> None:
    """A frame of one number around a value."""
    a = graph.pick(lambda v: len(v.shape) in (1, 2))
    rank = len(a.shape)
    if rank not in (1, 2):
        return
    low = [graph.random.randint(0, 2) for _ in a.shape]
    high = [graph.random.randint(0, 2) for _ in a.shape]
    shape = tuple(sum(each) for each in zip(low, a.shape, high, strict=True))
    number = graph.text.name()
    graph.text.lines.append(
        f"{number} = arith.constant {graph.number(1)} : {graph.dtype}"
    )
    indices = ", ".join(f"%p{i}: index" for i in range(rank))
    graph.line(
        shape,
        f"tensor.pad {a.name} low{low} high{high} {{\n  ^bb0({indices}):\n"
        f"    tensor.yield {number} : {graph.dtype}\n  }} : {graph.type(a)} to "
        f"{graph.kind(shape)}",
    )


def concat(graph: GraphText) -> None:
    """A value beside itself or another."""
    a = graph.pick(lambda v: len(v.shape) in (1, 2))
    if not a.shape or max(a.shape) > 130:
        return
    b, axis = graph.of_shape(a.shape), graph.random.randrange(len(a.shape))
    shape = tuple(s * 2 if i == axis else s for i, s in enumerate(a.shape))
    graph.line(
        shape,
        f"tensor.concat dim({axis}) {a.name}, {b.name} : "
        f"({graph.type(a)}, {graph.type(b)}) -> {graph.kind(shape)}",
    )
