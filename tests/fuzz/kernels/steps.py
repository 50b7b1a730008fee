"""Schedules that make kernels, drawn op by op as a person would write them.

A schedule makes grids over the last ops first and fuses producers into them, then loops
over reductions, vectors and launch attributes. Sizes often do not divide, and sometimes
a step does not apply: it is refused, or the default finishes the schedule.
"""

from __future__ import annotations

from xdsl.ir import Operation

from fuzz.kernels.streams import streamed
from fuzz.schedules.cases import WITH_CHAINS
from fuzz.schedules.drawing import ANY, Draw
from fuzz.schedules.steps.table import TENSORS, draw_step
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp

STRING = "!transform.any_param"
AXES = (["x"], ["y", "x"], ["z", "y", "x"])


def draw_schedule(d: Draw) -> None:
    """Draw a whole schedule; the default finishes what it leaves open."""
    kind = d.random.random()
    if kind < 0.08:
        return
    if kind < 0.2:
        for _ in range(d.random.randint(1, 4)):
            draw_step(d, TENSORS)
        _attributes(d)
        return
    if d.session.case.name in WITH_CHAINS and d.chance(0.65):
        streamed(d)
        _attributes(d)
        return
    _before(d)
    for _ in range(d.random.randint(1, 4)):
        left = _without_grid(d)
        if not left:
            break
        _grid(d, left[-1] if d.chance(0.8) else d.random.choice(left))
    _after(d)
    _attributes(d)


# -- handles --------------------------------------------------------------------------


def _without_grid(d: Draw) -> list[Operation]:
    """The structured ops outside of grids, except fills."""
    return [
        op
        for op in d.tileable()
        if not isinstance(op, FillOp) and not _inside(op, ForallOp)
    ]


def _inside(op: Operation, kind: type[Operation]) -> bool:
    parent = op.parent_op()
    return parent is not None and (isinstance(parent, kind) or _inside(parent, kind))


# -- grids ----------------------------------------------------------------------------


def _before(d: Draw) -> None:
    """Changes to ops before there is a grid."""
    for op in d.tileable():
        if op.parent is None:
            continue
        if isinstance(op, SoftmaxOp) and d.chance(0.8):
            if (target := d.exact(op)) is not None:
                d.one("structured.decompose_interface", target, "", 1)
        elif isinstance(op, StructuredOp) and d.chance(0.06):
            if (target := d.exact(op)) is not None:
                d.one("structured.generalize", target, "", 1)
        elif isinstance(op, StructuredOp) and _reduces(d, op) and d.chance(0.12):
            _split_reduction(d, op)


def _reduces(d: Draw, op: Operation) -> bool:
    target = d.exact(op)
    return target is not None and any(d.reductions(target))


def _split_reduction(d: Draw, op: Operation) -> None:
    """Split-K: partial sums in a grid of their own, and their sum."""
    target = d.exact(op)
    if target is None:
        return
    extents, reduced = d.extents(target), d.reductions(target)
    lengths = [e for e, r in zip(extents, reduced, strict=True) if r]
    length = lengths[0] if lengths and lengths[0] else 0
    factors = [f for f in (2, 3, 4, 5, 8) if length > f and length % f == 0]
    if factors:
        place = d.random.randint(0, len(reduced) - sum(reduced))
        options = f"split_factor = {d.random.choice(factors)}"
        options += f", insert_split_dimension = {place}"
        d.one("structured.split_reduction", target, f"{{{options}}}", 4)


def _tile(d: Draw, extent: int | None) -> int:
    """A few tiles along a loop: mostly a power of two, rarely one that is none."""
    if extent is None:
        return d.random.choice((8, 16, 32, 64))
    if d.chance(0.07):
        return d.random.choice((3, 5, max(extent, 1)))
    whole = 1 << max(extent - 1, 0).bit_length()
    return max(1, whole >> d.random.choice((0, 1, 1, 2, 2)))


def _grid(d: Draw, op: Operation) -> None:
    """A grid for an op, with producers fused into it and loops inside."""
    if (target := d.exact(op)) is None:
        return
    extents, reduced = d.extents(target), d.reductions(target)
    reduced += [False] * (len(extents) - len(reduced))
    sizes = [0 if r else _tile(d, e) for e, r in zip(extents, reduced, strict=True)]
    tiled = [i for i, size in enumerate(sizes) if size]
    while len(tiled) > 1 and (len(tiled) > 3 or d.chance(0.25)):
        place = tiled.pop(d.random.randrange(len(tiled)))
        sizes[place] = 0
    if not tiled:
        return
    axes = AXES[len(tiled) - 1]
    if d.chance(0.1):
        axes = d.random.sample(axes, len(axes))
    mapping = f" (mapping = [{', '.join(f'#gpu.block<{a}>' for a in axes)}])"
    made = d.names(2)
    of = d.session.types[target]
    done = d.do(
        "structured.tile_using_forall",
        f"{target} tile_sizes {sizes}{mapping if d.chance(0.95) else ''} "
        f": ({of}) -> ({ANY}, {ANY})",
        [target],
        made,
    )
    if not done:
        return
    grid = _fuse_producers(d, made[1])
    function = d.match("func.func")
    if function is not None and d.chance(0.2):
        d.do(
            "apply_patterns",
            f"to {function} {{ transform.apply_patterns.canonicalization }} : {ANY}",
            [function],
        )
        d.do("apply_cse", f"to {function} : {ANY}", [function])
    if function is not None:  # fusing leaves the original op behind
        d.do("apply_dce", f"to {function} : {ANY}", [function])
    for inner in [op for op in d.structured() if _within(d, op, grid)]:
        # A tile that is computed in the grid is in registers; no loop can slice it.
        if d.chance(0.05 if _reads_a_tile(inner) else 0.6):
            _loops(d, inner)


def _reads_a_tile(op: Operation) -> bool:
    """Whether an op reads the result of another op in the same grid."""
    assert isinstance(op, StructuredOp)
    owners = [value.owner for value in op.inputs]
    return any(
        isinstance(owner, StructuredOp) and owner.parent is op.parent
        for owner in owners
    )


def _within(d: Draw, op: Operation, grid: str) -> bool:
    return any(other.is_ancestor(op) for other in d.session.ops(grid))


def _fuse_producers(d: Draw, grid: str) -> str:
    """Fuse producers into the grid one after the other, mostly all of them."""
    for _ in range(8):
        (container,) = d.session.ops(grid)
        candidates = [
            op
            for op in d.structured()
            if op.parent is container.parent
            and any(
                container.is_ancestor(use.operation)
                for result in op.results
                for use in result.uses
            )
        ]
        kept = [op for op in candidates if isinstance(op, FillOp) or d.chance(0.8)]
        if not kept:
            break
        producer = d.exact(kept[-1])
        if producer is None:
            break
        made = d.names(2)
        done = d.do(
            "structured.fuse_into_containing_op",
            f"{producer} into {grid} : ({d.types([producer, grid])}) -> ({ANY}, {ANY})",
            [producer, grid],
            made,
        )
        if not done:
            break
        grid = made[1]
    return grid


def _loops(d: Draw, op: Operation) -> None:
    """A loop over reductions, or over other dimensions of a tile."""
    if (target := d.exact(op)) is None:
        return
    extents, reduced = d.extents(target), d.reductions(target)
    if not any(reduced):
        return
    sizes = [_tile(d, e) if r else 0 for e, r in zip(extents, reduced, strict=True)]
    if d.chance(0.12):
        d.one(
            "structured.tile_reduction_using_for",
            target,
            f"by tile_sizes = {sizes}",
            2 * len(op.results) + 2,
        )
        return
    loops = sum(size != 0 for size in sizes)
    d.one("structured.tile_using_for", target, f"tile_sizes {sizes}", 1 + loops)


# -- vectors and attributes -----------------------------------------------------------


def _after(d: Draw) -> None:
    """Padding, vectors, and a library's call, each now and then."""
    if d.chance(0.08):
        found = _without_grid(d)
        if found and (target := d.exact(d.random.choice(found))) is not None:
            word = d.random.choice(("torch", "cublas", "cudnn"))
            _annotate(d, target, "library", f'"{word}"')
    if d.chance(0.25):
        for op in d.structured():
            if _inside(op, ForallOp) and (target := d.exact(op)) is not None:
                sizes = [
                    1 << max((e or 64) - 1, 0).bit_length() for e in d.extents(target)
                ]
                of = d.session.types[target]
                rest = f"{target} vector_sizes {sizes} : {of}"
                d.do("structured.vectorize", rest, [target])


def _annotate(d: Draw, target: str, name: str, value: str | int | None) -> None:
    """`triton.name = value` on what a handle points at; None is a flag."""
    of = d.session.types[target]
    if value is None:
        d.do("annotate", f'{target} "triton.{name}" : {of}', [target])
        return
    parameter = d.parameter(value) if isinstance(value, int) else d.name()
    if isinstance(value, str):
        assert parameter is not None
        d.do("param.constant", f"{value} -> {STRING}", [], [parameter])
    assert parameter is not None
    rest = f'{target} "triton.{name}" = {parameter} : {of}, '
    rest += d.session.types[parameter]
    d.do("annotate", rest, [target, parameter])


def _attributes(d: Draw) -> None:
    """Draw launch attributes of grids and loops."""
    grids = d.grids()
    for number, op in enumerate(grids):
        if (grid := d.exact(op)) is not None:
            _launch(d, grid, op, number, len(grids))
    for op in d.loops():
        if (
            _inside(op, ForallOp)
            and d.chance(0.5)
            and (loop := d.exact(op)) is not None
        ):
            _pipeline(d, loop)


def _launch(d: Draw, grid: str, op: Operation, number: int, grids: int) -> None:
    assert isinstance(op, ForallOp)
    choice = d.random.choice
    if d.chance(0.15 if number else 0.01):
        return _annotate(d, grid, "last_arriver", None)
    if d.chance(0.4):
        _annotate(d, grid, "num_warps", choice((1, 2, 4, 8)))
    if d.chance(0.15 if op.rank > 1 else 0.01):
        _annotate(d, grid, "group", choice((1, 2, 3, 8)))
    if d.chance(0.15):
        _annotate(d, grid, "persistent", choice((1, 1, 2)))
        if d.chance(0.3):
            _annotate(d, grid, "flatten", None)
    if d.chance(0.12):
        _annotate(d, grid, "store_parts", choice((2, 4)))
    if d.chance(0.1):
        _annotate(d, grid, "aligned_rows", None)
    if d.chance(0.02):
        _annotate(d, grid, "held_operands", None)
    if d.chance(0.15):
        _annotate(d, grid, "descriptors", None)
    if d.chance(0.08):
        _annotate(d, grid, "dot_precision", choice(('"tf32"', '"ieee"', '"tf32x3"')))
    if d.chance(0.08):
        _annotate(d, grid, "eviction", '{a0 = "evict_last"}')
    if d.chance(0.06):
        _annotate(d, grid, "cache", choice(('{a0 = "cg"}', '{out = "cs"}')))
    if d.chance(0.2 if grids > 1 else 0.02):
        _annotate(d, grid, "stream", choice((0, 1, 2)))
    if d.chance(0.02):
        _annotate(d, grid, "wide_offsets", None)


def _pipeline(d: Draw, loop: str) -> None:
    if d.chance(0.6):
        _annotate(d, loop, "num_stages", d.random.choice((1, 2, 3, 4)))
    if d.chance(0.2):
        _annotate(d, loop, "unroll", d.random.choice((2, 4)))
    if d.chance(0.1):
        _annotate(d, loop, "flatten", None)
    if d.chance(0.1):
        _annotate(d, loop, "single_accumulator", None)
