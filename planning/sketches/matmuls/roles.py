"""Tiles by warps with roles: one warp loads, groups of four compute (docs/warps.md).

Gluon writes these kernels, not Triton's own compiler.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.model.roles import (
    BARRIERS,
    GROUP_ROWS,
    RoleTile,
    role_matmul_seconds,
)
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import loop_over_k, write_grid
from tilewright.planning.sketches.matmuls.tiles import WIDEST, MatmulSketch, sizes
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import ascending, text, times
from tilewright.schedules.language.syntax import Value

RINGS = (2, 3, 4, 5, 6)
PARTS = (1, 2, 4)
TIMED = 128
"""Tiles with fewer rows or columns have not been timed: they are left to searches."""


def may_have_roles(shape: MatmulShape, target: Target) -> bool:
    """Whether warps with roles compute a matmul: Hopper, 16 or 8 bits, in memory."""
    return (
        target.matrix_instructions == "wgmma"
        and _is_multiplied(shape)
        and len(shape.matmuls) == 1
        and not shape.group.prologues
        and not shape.group.also_sinks
        and not shape.is_open
        and shape.may_use_descriptors
        and min(shape.m, shape.n) >= GROUP_ROWS
    )


def _is_multiplied(shape: MatmulShape) -> bool:
    """Whether wgmma multiplies the factors; those of a byte lie along the sum."""
    inputs = shape.matmul.inputs
    if shape.factor in ("f16", "bf16"):
        return True
    if len({one.element.name for one in inputs}) > 1:
        return False
    is_known = inputs[0].element.is_fp8 or shape.factor == "i8"
    ends = [one.loops[-1] if one.loops else None for one in inputs]
    return is_known and all(end in shape.dims.k for end in ends)


class RoleTiles(MatmulSketch):
    """A program for each tile, or for each multiprocessor; its warps have roles."""

    label = "roles"
    summary = "tiles by warps with roles, one of which loads"

    def knobs(self) -> Sequence[Knob]:
        """Tile sizes that groups of warps can share, and the slots of the ring."""
        return [
            Knob("BM", sizes(self.shape.m, GROUP_ROWS, WIDEST)),
            Knob("BN", sizes(self.shape.n, GROUP_ROWS, WIDEST)),
            Knob("BK", self.steps()),
            Knob("ring", RINGS),
            Knob("consumers", (1, 2)),
            Knob("group", (1, 8)),
            Knob("persistent", (0, 1)),
            Knob("parts", PARTS),
        ]

    def conditions(self) -> Sequence[Value]:
        """Each group has its rows, and registers hold the sums."""
        return (
            ascending(times(GROUP_ROWS, "consumers"), "BM"),
            ascending(times("BM", "BN"), times(128 * self.most_sums(), "consumers")),
        )

    def is_valid(self, point: Point) -> bool:
        """Groups share the rows, and shared memory holds the rings and the results.

        A sum of one step has no loop whose tiles a ring could hold.
        """
        if point["BK"] >= self.shape.k:
            return False
        rows, columns = point["BM"], point["BN"]
        groups = point["consumers"]
        if (
            rows < GROUP_ROWS * groups
            or rows * columns > 128 * self.most_sums() * groups
        ):
            return False
        slot = (rows + columns) * point["BK"] * self.work.width
        elements = self.work.m * self.work.n * self.work.batch
        stored = rows * columns * self.work.written // max(elements, 1)
        held = point["ring"] * slot + stored // point["parts"]
        held += rows * columns * self._tail_bytes
        return held + BARRIERS <= self.target.shared_per_block

    @property
    def _tail_bytes(self) -> int:
        """The bytes that the tail loads for each element of a tile."""
        factors = {operand.value for operand in self.shape.matmul.inputs}
        return sum(
            operand.element.byte_width
            for operand in self.shape.group.outside_inputs()
            if operand.value not in factors
            and sum(1 for loop in operand.loops if loop is not None) > 1
        )

    def points(self) -> Iterator[Point]:
        """Two groups, a step of a cache line, three slots or more, few parts."""
        options = {knob.name: knob.options for knob in self.knobs()}
        for rows in options["BM"]:
            for columns in options["BN"]:
                if min(rows, columns) < TIMED:
                    continue
                for step in self.usual_steps(WIDEST**2):
                    for persistent in (1, 0):
                        yield from self._deepest(rows, columns, step, persistent)

    def _deepest(
        self, rows: int, columns: int, step: int, persistent: int
    ) -> Iterator[Point]:
        """The fewest parts that leave room for three slots, and as many as fit."""
        steps = -(-self.shape.k // step)
        for parts in PARTS:
            for ring in sorted((ring for ring in RINGS if ring >= 3), reverse=True):
                point = dict(BM=rows, BN=columns, BK=step, ring=ring, group=8)
                point |= dict(consumers=2, persistent=persistent, parts=parts)
                if ring <= max(3, steps) and self.is_valid(point):
                    yield point
                    return

    def seconds(self, point: Point) -> float:
        """The model's estimate."""
        if point["consumers"] == 1:
            return math.inf
        tile = RoleTile(
            point["BM"], point["BN"], point["BK"], bool(point["persistent"])
        )
        return role_matmul_seconds(self.work, tile, self.target)

    def write(self, lines: Lines) -> None:
        """Tile the sink, fuse the rest, loop over k, and give the warps roles."""
        knob = lines.knob
        write_grid(lines, self.shape, knob("BM"), knob("BN"))
        loop_over_k(lines, self.shape, knob("BK"))
        lines.do(
            *("launch", "grid"),
            group=knob("group"),
            persistent=knob("persistent"),
            parts=knob("parts"),
            descriptors=text("where_legal"),
        )
        lines.do("stage", "k", "in", knob("ring"))
        lines.do("specialize", "grid", consumers=knob("consumers"))
