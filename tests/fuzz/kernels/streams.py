"""Schedules that stream chains of reductions, as a person would write them.

The last op's rows go onto a grid, the whole chain is fused into it and streamed in a
loop, which is trimmed and split by the mask. Or the chain is cut into parallel chunks
first. The default finishes what is left.
"""

from __future__ import annotations

from xdsl.ir import Operation

from fuzz.schedules.drawing import ANY, Draw
from fuzz.schedules.steps import stream_steps
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp

AXES = ("z", "y", "x")


def streamed(d: Draw) -> None:
    """A streamed kernel for the last op of the payload, and for ops beside it."""
    for op in d.find(lambda op: isinstance(op, SoftmaxOp)):
        if (target := d.exact(op)) is not None:
            d.one("structured.decompose_interface", target, "", 1)
    if d.chance(0.5):
        stream_steps.use_exp2(d)
    if d.chance(0.2):
        stream_steps.split_stream(d)
    for _ in range(3):
        left = [op for op in d.structured() if not _is_done(op)]
        if not left or not _kernel(d, left[-1]):
            break


def _is_done(op: Operation) -> bool:
    """Whether an op is a fill, or inside a grid."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ForallOp):
        parent = parent.parent_op()
    return isinstance(op, FillOp) or parent is not None


def _kernel(d: Draw, op: Operation) -> bool:
    """A grid over the rows of an op, and a loop along the chain inside of it."""
    grid = _grid(d, op)
    if grid is None:
        return False
    grid = stream_steps.fuse_all_into(d, grid, everything=0.97) or _fused(d, grid)
    stream_steps.clean(d)
    if not d.session.ops(grid):
        return False  # one iteration: the loop is gone
    (container,) = d.session.ops(grid)
    inside = [op for op in stream_steps.reductions(d) if container.is_ancestor(op)]
    if not inside:
        return True
    last = d.exact(inside[-1])
    if last is None:
        return False
    target = grid if d.chance(0.3) else last
    size = d.random.choice((1, 2, 4, 8, 16, 16, 32))
    along = stream_steps.along(d, target) if target == last else ""
    made = d.one("tilewright.stream", target, f"by {size}{along}", 2)
    if made is not None and d.chance(0.7):
        stream_steps.masks(d, made[1])
    return True


def _fused(d: Draw, grid: str) -> str:
    """The grid with what it reads, directly or through others, fused into it."""
    (container,) = d.session.ops(grid)
    found: list[Operation] = []
    waiting = [*container.walk()]
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if (
                isinstance(owner, StructuredOp)
                and owner.parent is container.parent
                and owner not in found
            ):
                found.append(owner)
                waiting.append(owner)
    handles = [handle for op in found if (handle := d.exact(op)) is not None]
    if not handles:
        return grid
    merged, made = d.name(), d.names(2)
    rest = f"{', '.join(handles)} : {ANY}"
    if not d.do("merge_handles", rest, handles, [merged]):
        return grid
    done = d.do(
        "tilewright.fuse_all",
        f"{merged} into {grid} : ({d.types([merged, grid])}) -> ({ANY}, {ANY})",
        [merged, grid],
        made,
    )
    return made[1] if done else grid


def _grid(d: Draw, op: Operation) -> str | None:
    assert isinstance(op, StructuredOp)
    if (target := d.exact(op)) is None:
        return None
    extents, reduced = d.extents(target), d.reductions(target)
    free = [at for at, is_reduced in enumerate(reduced) if not is_reduced][:3]
    if len(free) > 1 and d.chance(0.6):
        free.pop()  # a row of the result is whole in registers
    sizes = [0] * len(extents)
    for at in free:
        sizes[at] = d.random.choice((1, 1, 2, 4, 8, 16))
    if not free:
        return None
    mapping = ", ".join(f"#gpu.block<{axis}>" for axis in AXES[-len(free) :])
    of = d.session.types[target]
    made = d.names(2)
    done = d.do(
        "structured.tile_using_forall",
        f"{target} tile_sizes {sizes} (mapping = [{mapping}]) : ({of}) -> "
        f"({ANY}, {ANY})",
        [target],
        made,
    )
    return made[1] if done else None
