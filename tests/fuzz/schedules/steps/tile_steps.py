"""Steps that tile structured ops, and fuse others into the loops."""

from __future__ import annotations

from fuzz.schedules.drawing import ANY, Draw


def _tiling(d: Draw, target: str, order: str) -> tuple[str, list[str], int]:
    """An op's tile sizes in words, the handles in them, and how many loops they make.

    `order` introduces the order of the loops.
    """
    sizes = d.sizes(target)
    text, used = d.written(sizes)
    rest = f"{target} tile_sizes {text} "
    if d.chance(0.15) and sizes:
        shuffled = d.random.sample(range(len(sizes)), len(sizes))
        rest += f"{order} {shuffled} "
    return rest, used, sum(size != 0 for size in sizes)


def _loops(
    d: Draw, step: str, target: str, rest: str, used: list[str], loops: int
) -> None:
    """A step that gives the tiled op and its loops."""
    made = d.names(1 + loops)
    results = ", ".join([ANY] * len(made))
    inputs = d.types([target, *used])
    d.do(step, f"{rest}: ({inputs}) -> ({results})", [target, *used], made)


def tile_using_for(d: Draw) -> None:
    target = d.handle(d.tileable())
    if target is None:
        return
    rest, used, loops = _tiling(d, target, "interchange =")
    _loops(d, "structured.tile_using_for", target, rest, used, loops)


def _mapping(d: Draw, count: int) -> str:
    kinds = ["z", "y", "x"][-count:] if 0 < count < 4 else []
    if not kinds or d.chance(0.5):
        return ""
    what = d.random.choice(["block", "thread"])
    return f" (mapping = [{', '.join(f'#gpu.{what}<{k}>' for k in kinds)}])"


def tile_using_forall(d: Draw) -> None:
    target = d.handle(d.tileable())
    if target is None:
        return
    by = d.random.choice(["tile_sizes", "tile_sizes", "num_threads"])
    sizes = d.sizes(target)
    if d.chance(0.9):  # a parallel reduction is refused; a few attempts suffice
        reduced = d.reductions(target)
        sizes = [
            0 if i < len(reduced) and reduced[i] else s for i, s in enumerate(sizes)
        ]
    if not sizes:
        return
    text, used = d.written(sizes)
    mapping = _mapping(d, sum(size != 0 for size in sizes))
    inputs = d.types([target, *used])
    d.do(
        "structured.tile_using_forall",
        f"{target} {by} {text}{mapping} : ({inputs}) -> ({ANY}, {ANY})",
        [target, *used],
        d.names(2),
    )


def _reduction_sizes(d: Draw, target: str) -> list[int]:
    reduced = d.reductions(target)
    return [
        d.random.choice((1, 2, 3, 4, 5, 8)) if r and d.chance(0.8) else 0
        for r in reduced
    ]


def _outputs(d: Draw, target: str) -> int:
    ops = d.session.ops(target)
    return len(ops[0].results) if ops else 1


def tile_reduction_using_for(d: Draw) -> None:
    target = d.handle(d.structured(), many=0.05)
    if target is None:
        return
    sizes = _reduction_sizes(d, target)
    outputs = _outputs(d, target)
    d.one(
        "structured.tile_reduction_using_for",
        target,
        f"by tile_sizes = {sizes}",
        2 * outputs + 2,
    )


def tile_reduction_using_forall(d: Draw) -> None:
    target = d.handle(d.structured(), many=0.05)
    if target is None:
        return
    sizes = _reduction_sizes(d, target)
    how = f"by num_threads = {sizes}"
    if d.chance(0.5):
        how += f" tile_sizes = {_reduction_sizes(d, target)}"
    elif d.chance(0.5):
        how = f"by tile_sizes = {sizes}"
    outputs = _outputs(d, target)
    d.one("structured.tile_reduction_using_forall", target, how, 2 * outputs + 2)


def fuse(d: Draw) -> None:
    target = d.handle(d.structured())
    if target is None:
        return
    rest, used, loops = _tiling(d, target, "interchange")
    options: list[str] = []
    if d.chance(0.3):
        options.append("apply_cleanup")
    if d.chance(0.3):
        options.append("use_forall")
        loops = 1
    rest += f"{{{', '.join(options)}}} " if options else ""
    _loops(d, "structured.fuse", target, rest, used, loops)


def fuse_into_containing_op(d: Draw) -> None:
    containers = d.grids() if d.chance(0.7) else d.loops()
    outside = [
        op
        for op in d.structured()
        if any(op.parent is container.parent for container in containers)
    ]
    producer = d.handle(outside, many=0.1)
    container = d.handle(containers, many=0.05)
    if producer is None or container is None:
        return
    d.do(
        "structured.fuse_into_containing_op",
        f"{producer} into {container} : ({d.types([producer, container])}) -> "
        f"({ANY}, {ANY})",
        [producer, container],
        d.names(2),
    )
