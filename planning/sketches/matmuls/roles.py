"""Tiles by warps with roles: one warp loads, groups of four compute (docs/warps.md).

Gluon writes these kernels, not Triton's own compiler, so they are another emitter's.
No estimate of them was compared with measurements: they are offered to searches of the
structure only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.model.matmuls import MatmulTile
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import loop_over_k, write_grid
from tilewright.planning.sketches.matmuls.tiles import WIDEST, MatmulSketch, sizes
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import ascending, text, times
from tilewright.schedules.language.syntax import Value

ROWS = 64
"""The rows that an instruction multiplies, so those of a group of warps at least."""
RINGS = (2, 3, 4, 5, 6)


def may_have_roles(shape: MatmulShape, target: Target) -> bool:
    """Whether warps with roles compute a matmul: Hopper, 16 bits, factors in memory."""
    return (
        target.matrix_instructions == "wgmma"
        and shape.factor in ("f16", "bf16")
        and len(shape.matmuls) == 1
        and not shape.group.prologues
        and not shape.group.also_sinks
        and not shape.is_open
        and shape.may_use_descriptors
        and min(shape.m, shape.n) >= ROWS
    )


class RoleTiles(MatmulSketch):
    """A program for each tile, or for each multiprocessor; its warps have roles."""

    label = "roles"
    summary = "tiles by warps with roles, one of which loads"
    is_untried = True

    def knobs(self) -> Sequence[Knob]:
        """Tile sizes that groups of warps can share, and the slots of the ring."""
        return [
            Knob("BM", sizes(self.shape.m, ROWS, WIDEST)),
            Knob("BN", sizes(self.shape.n, ROWS, WIDEST)),
            Knob("BK", self.steps()),
            Knob("ring", RINGS),
            Knob("consumers", (1, 2)),
            Knob("group", (1, 8)),
            Knob("persistent", (0, 1)),
        ]

    def conditions(self) -> Sequence[Value]:
        """Each group has its rows, and registers hold the sums."""
        return (
            ascending(times(ROWS, "consumers"), "BM"),
            ascending(times("BM", "BN"), times(128 * self.most_sums(), "consumers")),
        )

    def tile(self, point: Point) -> MatmulTile:
        """The tile of a point; the ring is as deep as a pipeline of as many stages."""
        warps = 4 * point["consumers"]
        is_persistent = bool(point["persistent"])
        sides = point["BM"], point["BN"], point["BK"]
        return MatmulTile(*sides, warps, point["ring"], is_persistent, 1, True)

    def is_valid(self, point: Point) -> bool:
        """The rows can be shared; then as for other tiles."""
        return point["BM"] >= ROWS * point["consumers"] and super().is_valid(point)

    def points(self) -> Iterator[Point]:
        """Steps of a cache line, three slots or four."""
        options = {knob.name: knob.options for knob in self.knobs()}
        for rows in options["BM"]:
            for columns in options["BN"]:
                for step in self.usual_steps(WIDEST**2):
                    for ring in (3, 4):
                        point = dict(BM=rows, BN=columns, BK=step, ring=ring, group=8)
                        point |= dict(consumers=min(2, rows // ROWS), persistent=1)
                        if self.is_valid(point):
                            yield point

    def write(self, lines: Lines) -> None:
        """Tile the sink, fuse the rest, loop over k, and give the warps roles."""
        knob = lines.knob
        write_grid(lines, self.shape, knob("BM"), knob("BN"))
        loop_over_k(lines, self.shape, knob("BK"))
        lines.do(
            *("launch", "grid"),
            group=knob("group"),
            persistent=knob("persistent"),
            descriptors=text("where_legal"),
        )
        lines.do("stage", "k", "in", knob("ring"))
        lines.do("specialize", "grid", consumers=knob("consumers"))
