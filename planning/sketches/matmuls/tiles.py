"""Tiles on the tensor cores, with a loop over k and the tail in registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.powers import power_of_two
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.matmuls import (
    MatmulTile,
    MatmulWork,
    matmul_seconds,
    staged_bytes,
)
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.sketches.matmuls.statements import (
    choose_loads,
    choose_precision,
    loop_over_k,
    write_grid,
)
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import ascending, times
from tilewright.schedules.language.syntax import Value

WIDEST = 256
"""The longest side of a tile."""
SHORT_TAIL = 4
"""The instructions of a tail that needs no registers worth mentioning."""
LONG_TAIL = 32
"""The instructions of a tail that eight warps finish sooner than four."""
STAGES = (2, 3, 4, 5, 6, 8)


def work_of(shape: MatmulShape, target: Target) -> MatmulWork:
    """The matmuls as the cost model takes them."""
    tf32x3 = shape.factor == "f32" and target.multiplies_tf32x3
    return MatmulWork(
        shape.m,
        shape.n,
        shape.k,
        shape.batch,
        len(shape.matmuls),
        shape.width,
        target.matmul_flops(shape.factor),
        tf32x3 or shape.factor in target.tensor_flops,
        shape.moved_bytes,
        shape.stored_bytes,
        any(facts.flops for facts in shape.group.prologues),
        shape.alignment,
        shape.tail,
        not shape.is_right_along_k,
        tf32x3=tf32x3,
        lefts=len({facts.inputs[0].value for facts in shape.matmuls}),
        rights=len({facts.inputs[1].value for facts in shape.matmuls}),
    )


class MatmulSketch(Sketch):
    """What the sketches of matmuls share: sizes, limits of a tile, its estimate."""

    split = 1
    stages_results = True
    """Whether shared memory holds a persistent program's result beside its stages: a
    descriptor stores it while the next tile is loaded."""

    def __init__(self, group: Group, target: Target, shape: MatmulShape):
        super().__init__(group, target)
        self.shape = shape
        self.work = work_of(shape, target)
        self.described = (
            target.has_descriptors
            and self.work.on_tensor_cores
            and not self.work.tf32x3
            and shape.may_use_descriptors
        )

    def steps(self) -> tuple[int, ...]:
        """The steps along k that the sum can fill: 32 to 256 bytes of a row."""
        least = max(16, 32 // self.shape.width)
        length = self.shape.matmul.extents[self.shape.dims.k[-1]] // self.split
        return sizes(length, least, max(least, 256 // self.shape.width))

    def tile(self, point: Point) -> MatmulTile:
        """The tile of a point, as the cost model takes it."""
        return MatmulTile(
            point["BM"],
            point["BN"],
            point["BK"],
            point["warps"],
            point["stages"],
            bool(point.get("persistent", 0)),
            self.split,
            self.described,
        )

    def is_usual(self, rows: int, columns: int) -> bool:
        """Whether a tile is of a shape that the tensor cores are good at.

        An instruction has 64 rows, or 16 where there are no more; tiles with fewer
        columns than 32 load parts of lines.
        """
        if not self.work.on_tensor_cores:
            return 32 <= rows <= 128 and 32 <= columns <= 128
        if self.work.tf32x3:
            narrow = min(64, max(16, power_of_two(self.shape.n)))
            return rows <= 128 and narrow <= columns <= 128
        if self.work.alignment < 4:  # such rows pass through registers
            most = 64 * 128 if rows >= 64 else 32 * rows
            if rows * columns > most:
                return False
        least = 16 if self.shape.m <= 16 else 32 if self.shape.m <= 32 else 64
        return rows >= least and columns >= min(32, power_of_two(self.shape.n))

    def warps(self) -> tuple[int, ...]:
        """Without tensor cores, programs of one warp do not wait for each other."""
        return (4, 8) if self.work.on_tensor_cores else (1, 2, 4, 8)

    def usual_warps(self, rows: int, columns: int) -> tuple[int, ...]:
        """Four warps for a tile that their registers hold."""
        area = rows * columns * self.work.matmuls
        if not self.work.on_tensor_cores:
            return (max(1, min(8, area // 2048)),)
        if area == 128 * 128:
            has_long = self.shape.tail > LONG_TAIL
            return (8,) if has_long or self.work.tf32x3 else (4, 8)
        return (4,) if area < 128 * 128 else (8,)

    def usual_steps(self, area: int) -> tuple[int, ...]:
        """Steps of a cache line, or two in small tiles; less in short sums."""
        if not self.work.on_tensor_cores:
            return tuple(step for step in self.steps() if step <= 16)
        most = 256 if area <= (16 * 64 if self.work.tf32x3 else 64 * 128) else 128
        least = most if self.work.tf32x3 else 128
        lines = [s for s in self.steps() if least <= s * self.shape.width <= most]
        return tuple(lines) or self.steps()[-1:]

    def is_valid(self, point: Point) -> bool:
        """Registers hold the accumulators, and shared memory the stages."""
        tile = self.tile(point)
        area = tile.rows * tile.columns * self.work.matmuls
        if area > tile.warps * 32 * self.most_sums():
            return False
        staged = staged_bytes(self.work, tile, self.target)
        if self.work.tf32x3:  # both parts of the factors of a step
            staged += 2 * staged // tile.stages
        if tile.persistent and self.stages_results:
            # A sum takes 4 bytes on its way; results that are stored together, theirs.
            elements = self.work.m * self.work.n * self.work.batch
            each = max(4, -(-self.work.written // max(elements, 1)))
            staged += tile.rows * tile.columns * each // point.get("parts", 1)
        return staged + 1024 <= self.target.shared_per_block

    def most_sums(self) -> int:
        """The sums that a thread may hold; more where nothing else follows them."""
        if self.work.tf32x3:  # the sums of a step are kept apart
            return 64
        casts = self.shape.tail <= len(self.shape.matmuls) * SHORT_TAIL
        return 192 if len(self.shape.matmuls) == 3 and casts else 128

    def usual_stages(self, step: int) -> tuple[int, ...]:
        """Three stages at least, and no more than there are steps to load ahead."""
        if self.work.tf32x3:
            return (3,)
        steps = -(-self.shape.k // (self.split * step))
        return tuple(s for s in STAGES if min(3, steps) <= s <= max(2, steps))

    def seconds(self, point: Point) -> float:
        """The model's estimate."""
        return matmul_seconds(self.work, self.tile(point), self.target)


class Tiles(MatmulSketch):
    """A program for each tile of the result, or for each multiprocessor."""

    label = "tiles"
    summary = "tiles of the result, a loop over k"

    def knobs(self) -> Sequence[Knob]:
        """Tile sizes that the shape can fill, warps, stages, and the order of tiles."""
        knobs = [
            Knob("BM", sizes(self.shape.m, 16, WIDEST)),
            Knob("BN", sizes(self.shape.n, 16, WIDEST)),
            Knob("BK", self.steps()),
            Knob("warps", self.warps()),
            Knob("stages", STAGES),
        ]
        if self.is_grouped():
            knobs.append(Knob("group", (1, 4, 8)))
        if self.described:
            knobs.append(Knob("persistent", (0, 1)))
        if self.may_have_parts():
            knobs.append(Knob("parts", (1, 2, 4)))
        return knobs

    def may_have_parts(self) -> bool:
        """Whether a tile is large enough to be finished in parts."""
        return self.shape.m >= 64 and self.shape.n >= 64

    def is_grouped(self) -> bool:
        """Whether the tiles of one matrix have several rows and columns."""
        return self.shape.m > 64 and self.shape.n > 64

    def conditions(self) -> Sequence[Value]:
        """Registers."""
        tile = times(self.work.matmuls, "BM", "BN")
        return (ascending(tile, times(32 * self.most_sums(), "warps")),)

    def points(self) -> Iterator[Point]:
        """The points of the model's pick, among those that such kernels are good at."""
        options = {knob.name: knob.options for knob in self.knobs()}
        for rows in options["BM"]:
            for columns in options["BN"]:
                if not self.is_usual(rows, columns):
                    continue
                for warps in self.usual_warps(rows, columns):
                    yield from self.points_of_tile(rows, columns, warps, options)

    def points_of_tile(
        self, rows: int, columns: int, warps: int, options: dict[str, tuple[int, ...]]
    ) -> Iterator[Point]:
        """The points of one tile: steps, stages, persistent or not."""
        tiles = -(-self.shape.m // rows) * -(-self.shape.n // columns)
        several = tiles * self.shape.batch > self.target.sms
        area = rows * columns * self.work.matmuls
        # Of smaller tiles, two programs run at once and hide each other's ends.
        is_large = several and area > 128 * 128
        launches = options.get("persistent", (0,)) if is_large else (0,)
        sums = area // (32 * warps)
        # Registers that hold the sums leave little room for a tail of all of them.
        crowded = sums >= 128 and self.shape.tail > SHORT_TAIL
        for step in self.usual_steps(area):
            for stages in self.usual_stages(step):
                for persistent in launches:
                    point = {
                        "BM": rows,
                        "BN": columns,
                        "BK": step,
                        "warps": warps,
                        "stages": stages,
                    }
                    if "group" in options:
                        point["group"] = 8
                    if self.described:
                        point["persistent"] = persistent
                    if "parts" in options:
                        is_held = persistent and self.stages_results
                        staged = is_held and rows * columns > 128 * 128
                        point["parts"] = 2 if crowded or staged else 1
                    if self.is_valid(point):
                        yield point

    def write(self, lines: Lines) -> None:
        """Tile the sink, fuse the matmuls and the rest, loop over k."""
        knob = lines.knob
        write_grid(lines, self.shape, knob("BM"), knob("BN"))
        loop_over_k(lines, self.shape, knob("BK"))
        self.write_launch(lines)

    def write_launch(self, lines: Lines) -> None:
        """How tiles are loaded, and how the grid is launched."""
        if self.described:
            choose_loads(lines, self.shape, "grid")
        if self.work.tf32x3:
            choose_precision(lines, "grid")
        lines.launch(**self.settings(lines))
        lines.pipeline("k", stages=lines.knob("stages"))

    def settings(self, lines: Lines) -> dict[str, str]:
        """The settings of the launch that are knobs, besides the warps."""
        names = {k.name for k in self.knobs()}
        return {
            name: lines.knob(name)
            for name in ("group", "persistent", "parts")
            if name in names
        }


def sizes(extent: int, least: int, most: int) -> tuple[int, ...]:
    """The powers of two from `least` to `most` that an extent can fill."""
    cover = max(least, power_of_two(extent))
    found: list[int] = []
    size = least
    while size <= min(cover, most):
        found.append(size)
        size *= 2
    return tuple(found)
