"""Steps on loops and grids."""

from __future__ import annotations

from fuzz.schedules.drawing import ANY, Draw
from tilewright.ir.dialects import scf


def peel(d: Draw) -> None:
    if (target := d.loop()) is None:
        return
    front = "{peel_front = true}" if d.chance(0.3) else ""
    d.one("loop.peel", target, front, 2)


def unroll(d: Draw) -> None:
    if (target := d.loop()) is not None:
        d.one("loop.unroll", target, f"{{factor = {d.random.choice([1, 2, 3, 4])}}}")


def unroll_and_jam(d: Draw) -> None:
    if (target := d.loop()) is not None:
        factor = d.random.choice([1, 2, 3, 4])
        d.one("loop.unroll_and_jam", target, f"{{factor = {factor}}}")


def coalesce(d: Draw) -> None:
    nests = [
        op
        for op in d.loops()
        if isinstance(op, scf.ForOp) and isinstance(op.body.block.first_op, scf.ForOp)
    ]
    target = d.loop(many=0.05) if nests or d.chance(0.2) else None
    if target is not None:
        d.one("loop.coalesce", target, "", 1)


def fuse_sibling(d: Draw) -> None:
    loops = d.grids() if d.chance(0.5) else d.loops()
    if len(loops) < 2:
        return
    left, right = d.handle(loops, many=0), d.handle(loops, many=0)
    if left is None or right is None or d.session.ops(left) == d.session.ops(right):
        return
    d.do(
        "loop.fuse_sibling",
        f"{left} into {right} : ({d.types([left, right])}) -> {ANY}",
        [left, right],
        d.names(1),
    )


def pipeline(d: Draw) -> None:
    if (target := d.loop()) is None:
        return
    options = d.random.choice(["", "{read_latency = 2}", "{iteration_interval = 2}"])
    d.one("loop.pipeline", target, options, 1)


def forall_to_for(d: Draw) -> None:
    if (target := d.handle(d.grids(), many=0.05)) is None:
        return
    ops = d.session.ops(target)
    loops = len(ops[0].body.block.args) - len(ops[0].results)  # pyright: ignore
    if len(ops) == 1 and loops:
        d.one("loop.forall_to_for", target, "", loops)


def outline(d: Draw) -> None:
    if (target := d.handle([*d.loops(), *d.grids()])) is not None:
        d.one("loop.outline", target, '{func_name = "outlined"}', 2)


def loops_to_grid(d: Draw) -> None:
    if (target := d.handle([*d.loops(), *d.grids()])) is not None:
        d.one("tilewright.loops_to_grid", target, "", 1)
