"""Loops over a row that does not fit into registers, in as few passes as possible."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.model.memory import HBM_SHARE, LAUNCH_SECONDS
from tilewright.planning.model.rows import (
    ACCESS,
    INSTRUCTIONS,
    Program,
    smooth_minimum,
)
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.rows.shape import RowShape
from tilewright.planning.sketches.rows.whole import WholeRows
from tilewright.planning.writing.lines import Lines

USED_L2 = 0.6
"""The share of the L2 cache that keeps rows until they are read again."""


LOOP_LATENCY = 0.3e-6
"""The time of an iteration; the loads of several iterations overlap."""
LOOP_REGISTERS = 32
"""The registers of a thread besides the elements of an iteration."""


def can_loop(shape: RowShape) -> bool:
    """Whether each pass of a group can be a loop over the row.

    A tensor along the row that leaves the kernel is written by the sink alone.
    """
    if shape.group.also_sinks:
        return False
    return len(shape.inner) == 1 and not any(
        shape.has_row(facts) and shape.leaves(facts)
        for facts in shape.group.ops[:-1]
        if not shape.reduces(facts)
    )


class LoopedRows(Sketch):
    """A program loops over its row, once for each reduction that waits for another."""

    summary = "loops over a row, what is element-wise is computed in each"

    def __init__(self, shape: RowShape, target: Target, columns: int):
        super().__init__(shape.group, target)
        self.label = f"looped_rows_{columns}"
        self.shape = shape
        self.columns = columns
        """The columns of an iteration; `tile_reduction` takes no knob."""
        self.levels = shape.levels()
        self.stores = shape.has_row(shape.group.sink) and not shape.reduces(
            shape.group.sink
        )

    def knobs(self) -> Sequence[Knob]:
        """The warps, and whether rows are aligned."""
        aligned = [Knob("aligned", (1, 0))] if self.shape.can_align else []
        warps = tuple(w for w in (4, 8, 16, 32) if self._has_whole_accesses(w))
        return [Knob("warps", warps), *aligned]

    def _has_whole_accesses(self, warps: int) -> bool:
        """Whether a thread has whole accesses, and not more than a few."""
        each = self.columns / (32 * warps)
        return self.shape.lanes <= each <= 4 * self.shape.lanes

    def seconds(self, point: Point) -> float:
        """One pass after another; a row is read again from the L2 cache if it fits."""
        shape, target = self.shape, self.target
        wide = not shape.is_odd or bool(point.get("aligned"))
        accesses = len(shape.accessed) / shape.lanes if wide else len(shape.accessed)
        accesses += len(shape.shared) if shape.is_odd else 0
        passes = len(self.levels) + self.stores
        instructions = INSTRUCTIONS * shape.operations / passes + ACCESS * accesses
        covered = -(-shape.length // self.columns) * self.columns
        read = sum(o.bytes for o in shape.accessed if o.is_read) / shape.count
        written = sum(o.bytes for o in shape.accessed if o.is_written) / shape.count
        program = Program(
            point["warps"],
            self.columns,
            1,
            read,
            instructions,
            0,
            LOOP_REGISTERS,
        )
        resident = min(program.resident(target), -(-shape.count // target.sms))
        programs = min(shape.count, target.sms * resident)
        stays = programs * read <= USED_L2 * target.l2_bytes
        used = min(target.sms, shape.count)
        in_flight = read * self.columns / shape.length * resident
        by_latency = in_flight / LOOP_LATENCY
        by_memory = target.hbm_bandwidth * HBM_SHARE / target.sms
        by_cache = target.l2_bandwidth / target.sms
        by_arithmetic = read / shape.length / instructions * 128 * target.clock
        total = 0.0
        for number in range(passes):
            memory = by_cache if number and stays else by_memory
            rate = smooth_minimum(by_latency, memory, by_arithmetic)
            moved = read * covered / shape.length
            if self.stores and number == passes - 1:
                total += written / smooth_minimum(by_latency, by_memory)
            total += moved / rate
        return LAUNCH_SECONDS + total * shape.count / used

    def write(self, lines: Lines) -> None:
        """A grid of single rows; a loop for each level of reductions, one to store."""
        shape = self.shape
        WholeRows(shape, self.target).write_grid(lines, 1)
        aligned = f" aligned = {lines.knob('aligned')}" if shape.can_align else ""
        lines.add(f"launch grid warps = {lines.knob('warps')}{aligned}")
        for level in self.levels:
            self._reduce(level, lines)
        if self.stores:
            sink = shape.group.sink
            lines.add(
                f"{sink.name}, stores = tile {sink.name} by [{self._sizes(sink)}]"
            )
        inside = [
            facts
            for facts in reversed(shape.group.ops[:-1])
            if shape.has_row(facts) and not shape.reduces(facts)
        ]
        if any(facts in lines.shared for facts in inside):
            # What several kernels compute is copied into their loops at the end.
            lines.add("patterns grid [tensor.merge_consecutive_insert_extract_slice]")
        for facts in inside:
            if facts not in lines.shared:
                lines.add(f"{facts.name} = recompute {facts.name}")

    def _sizes(self, facts: OpFacts) -> str:
        """Tile sizes of an op: columns along the row, whole loops elsewhere."""
        return ", ".join(
            str(self.columns)
            if self.group.axis(facts, loop) in self.shape.places
            else "0"
            for loop in range(len(facts.extents))
        )

    def _reduce(self, level: Sequence[OpFacts], lines: Lines) -> None:
        """One loop over the row for reductions that do not depend on each other."""
        loops: list[str] = []
        for facts in level:
            loop = f"over_{facts.name}"
            lines.add(
                f"start, {facts.name}, merged, {loop} = "
                f"tile_reduction {facts.name} by [{self._sizes(facts)}]"
            )
            loops.append(loop)
        for other in loops[1:]:
            lines.add(f"{loops[0]} = fuse_sibling {other} into {loops[0]}")
