"""Whole rows in registers: every element is read once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tilewright.codegen.targets import Target
from tilewright.ir.powers import power_of_two
from tilewright.planning.model.rows import (
    EARLY_ELEMENTS,
    EARLY_GROUPS,
    Program,
    kernel_seconds,
)
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.rows.shape import RowShape
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import (
    Term,
    ceiling,
    either,
    equal,
    smaller,
)
from tilewright.schedules.default.vectors import is_product
from tilewright.schedules.language.syntax import Value

WARPS = (1, 2, 4, 8, 16, 32)
ROWS = (1, 2, 4, 8, 16, 32, 64)
PREFETCH_REGISTERS = 28
"""The registers of a thread besides its elements, in a loop over rows."""
SHORT_AXIS = 16
"""An axis of fewer rows has too few for a program, which takes two of the axis before:
maxima of 8 x 8 elements, 7 of them side by side, take 49 us on an H200 for 64x256x56x56
elements of f32, where one of that axis takes 72 us, four 60 us."""


class WholeRows(Sketch):
    """A program holds whole rows in registers."""

    label = "whole_rows"
    summary = "whole rows in registers"

    def __init__(self, shape: RowShape, target: Target):
        super().__init__(shape.group, target)
        self.shape = shape

    def knobs(self) -> Sequence[Knob]:
        """The rows of a program, its warps, and whether the rows are aligned."""
        covered = power_of_two(self.shape.length)
        rows = tuple(
            r
            for r in ROWS
            if r == 1
            or (r * covered <= 16384 and r <= self._last_rows * self._rows_before)
        )
        warps = tuple(w for w in WARPS if rows[-1] * covered >= 32 * w) or (1,)
        aligned = [Knob("aligned", (0, 1))] if self.shape.can_align else []
        return [Knob("rows", rows), Knob("warps", warps), *aligned]

    @cached_property
    def _last_rows(self) -> int:
        """The rows that cover the last axis of the grid."""
        return power_of_two(self.shape.outer[-1].extent)

    @cached_property
    def _rows_before(self) -> int:
        """The indices of the axis before in a program, if the last one is short."""
        if len(self.shape.outer) < 2:
            return 1
        before, last = self.shape.outer[-2:]
        if before.is_open or last.is_open:
            return 1
        return min(2, before.extent) if last.extent < SHORT_AXIS else 1

    def _programs(self, rows: int) -> int:
        """The programs of as many rows each, at the ends of axes of fewer."""
        last, before = self.shape.outer[-1].extent, 1
        if self._rows_before > 1:
            before = self.shape.outer[-2].extent
        tiles = -(-last // min(rows, self._last_rows))
        tiles *= -(-before // -(-rows // self._last_rows))
        return self.shape.count // (last * before) * tiles

    def conditions(self) -> Sequence[Value]:
        """Rows are aligned one at a time."""
        if not self.shape.can_align:
            return ()
        return (either(equal("rows", 1), equal("aligned", 0)),)

    def is_valid(self, point: Point) -> bool:
        """The conditions, and that the rows fit into registers."""
        return super().is_valid(point) and self.program(point).fits(self.target)

    def program(self, point: Point) -> Program:
        """What one program holds, moves and computes."""
        shape, rows, warps = self.shape, point.get("rows", 1), point["warps"]
        wide = not shape.is_odd or bool(point.get("aligned"))
        step = self.target.warp * warps * (shape.lanes if wide else 1)
        covered = power_of_two(shape.length)
        if rows == 1 and len(shape.inner) == 1 and covered > step:
            # Lanes that are never used cost nothing.
            covered = -(-shape.length // step) * step
        single = 0 if wide else len(shape.accessed)
        single += len(shape.shared) if shape.is_odd else 0
        accesses = len(shape.accessed) / shape.lanes + single
        fitted = self.target.calibration.rows
        return Program(
            warps,
            rows * covered,
            shape.held,
            shape.moved / max(self._programs(rows), 1),
            fitted.operation * shape.operations + fitted.access * accesses,
            len(self.group.reductions),
            len(shape.shared) * (EARLY_ELEMENTS if shape.is_odd else EARLY_GROUPS),
        )

    def seconds(self, point: Point) -> float:
        """Programs at once, and the bytes that they have in flight."""
        programs = self._programs(point["rows"])
        edges = 0.2e-6 if point.get("aligned") else 0.0
        program = self.program(point)
        seconds = kernel_seconds(program, programs, self.target)
        waves = programs / (self.target.sms * program.resident(self.target))
        return seconds + edges * waves

    def write(self, lines: Lines) -> None:
        """Tile the sink's rows, fuse the rest."""
        self.write_grid(lines, lines.knob("rows"))
        self.keep_sums(lines, lines.knob("rows"))
        lines.launch(**self.settings(lines))

    def write_grid(self, lines: Lines, rows: Term) -> None:
        """A grid over the rows, with all ops in it."""
        sink = self.group.sink
        grid = self._grid_loops()
        sizes: list[Term] = [0] * len(sink.extents)
        for loop in grid:
            sizes[loop] = 1
        sizes[grid[-1]], before = self._tiles(rows)
        if self._rows_before > 1:
            sizes[grid[-2]] = before
        lines.tile_sink(self.group, sizes, "grid")
        lines.fuse_all(self.group.fused, "grid")

    def _tiles(self, rows: Term) -> tuple[Term, Term]:
        """The tile of the last axis of the grid, and of the one before."""
        whole = self._last_rows
        if isinstance(rows, int) or self._rows_before == 1:
            return rows, 1
        return smaller(rows, whole), ceiling(rows, whole)

    def keep_sums(self, lines: Lines, rows: Term) -> None:
        """Vectorize matmuls with a vector: the default would make dots of them."""
        tiles = dict(zip(reversed(self._grid_loops()), self._tiles(rows), strict=False))
        axes = {self.group.axis(self.group.sink, loop): tiles[loop] for loop in tiles}
        for facts in self.group.ops:
            if self.shape.reduces(facts) and is_product(facts.op):
                own = [self.group.axis(facts, at) for at in range(len(facts.extents))]
                sizes = [
                    power_of_two(extent)
                    if axis in self.shape.places
                    else axes.get(axis, 1)
                    for axis, extent in zip(own, facts.extents, strict=True)
                ]
                lines.do("vectorize", facts.name, "to", sizes)

    def _grid_loops(self) -> list[int]:
        """The loops of the sink that the grid cuts."""
        return [axis.loops[self.group.sink.number] for axis in self.shape.outer]

    def settings(self, lines: Lines, passes: int = 1) -> dict[str, Term]:
        """Aligned rows, where there is a choice; reads that leave the L2 cache free."""
        found: dict[str, Term] = {}
        if self.shape.can_align:
            found["aligned"] = lines.knob("aligned")
        if passes == 1 and self.shape.passes_by(self.target):
            found["read_once"] = 1
        return found


class PersistentRows(WholeRows):
    """A few programs on each multiprocessor load the next row as they work on one."""

    label = "persistent_rows"
    summary = "whole rows, the next one is loaded early"

    def knobs(self) -> Sequence[Knob]:
        """Warps, programs on a multiprocessor, stages."""
        aligned = [Knob("aligned", (1, 0))] if self.shape.can_align else []
        return [
            Knob("warps", (16, 32)),
            Knob("programs", (1, 2)),
            Knob("stages", (3, 4)),
            *aligned,
        ]

    def conditions(self) -> Sequence[Value]:
        """No conditions: the tuner skips what does not fit."""
        return ()

    def is_valid(self, point: Point) -> bool:
        """The rows in registers and the next ones in shared memory."""
        program = self.program(point)
        read = [o for o in self.shape.accessed if o.is_read]
        width = sum(operand.element.byte_width for operand in read)
        staged = power_of_two(self.shape.length) * width * (point["stages"] - 1)
        return (
            program.fits(self.target, PREFETCH_REGISTERS)
            # Several programs on a multiprocessor hide each other's loads already.
            and program.resident(self.target) == 1 == point["programs"]
            and staged * point["programs"] <= self.target.shared_per_block
            and (not self.shape.is_odd or bool(point.get("aligned")))
        )

    def seconds(self, point: Point) -> float:
        """As whole rows, with the loads of the next rows in flight."""
        program = self.program(point)
        seconds = kernel_seconds(program, self.shape.count, self.target, ahead=True)
        return self.target.calibration.rows.loop * seconds

    def write(self, lines: Lines) -> None:
        """A grid of single rows, persistent."""
        self.write_grid(lines, 1)
        self.keep_sums(lines, 1)
        knob = lines.knob
        lines.launch(
            persistent=knob("programs"), stages=knob("stages"), **self.settings(lines)
        )
