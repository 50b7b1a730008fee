"""Streams by warps with roles (docs/warps.md): one warp loads, two groups compute.

The last products of a step are delayed, so that the exponentials of the next step run
beside them, and the groups take turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.powers import power_of_two
from tilewright.planning.model.roles import (
    BARRIERS,
    GROUP,
    GROUP_ROWS,
    GROUPS,
    RoleTile,
    role_stream_seconds,
)
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.sketches.streams.rolling import RollingStream
from tilewright.planning.sketches.streams.shape import StreamShape
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import Term, either, equal, text
from tilewright.schedules.language.syntax import Value

HOPPER = (9, 0)
"""The compute capability that these kernels are written for."""

ROWS = GROUPS * GROUP_ROWS
"""The rows of a tile."""

MOST_COLUMNS = 256
"""The columns of a matmul that a group of warps starts at once."""

REGISTERS = 240
"""The most registers of a thread that a group may ask for."""

OTHER_REGISTERS = 32
"""Registers of a thread for addresses, counts and columns of maxima; ptxas reports 168
for 128 features and 64 columns, of which sums, scores and weights are 112."""

COLUMNS = (64, 128)
"""Columns of a step."""

SLOTS = (2, 3, 4)
"""Tiles of keys, and of values, in shared memory."""

AHEAD = (1, 2)
"""Tiles of rows in shared memory: this one's, and the next one's."""

MATRICES = (1, 4, 8)
"""Matrices whose tiles programs in flight share: 8 where a mask makes tiles unequal, so
that those of a similar length run at once."""


def may_have_roles(shape: StreamShape, target: Target) -> bool:
    """Whether warps with roles could compute a stream: tiles of 16 or 8 bits."""
    return (
        target.capability == HOPPER
        and len(shape.matmuls) > 1
        and _is_multiplied(shape)
        and shape.is_described
        and not shape.is_left_computed
        and power_of_two(shape.features) <= MOST_COLUMNS
        and min(shape.rows, shape.stream.length) > ROWS
        # Masks of tiles that are not whole were not timed.
        and (not shape.masks or (_is_whole(shape) and shape.rows % ROWS == 0))
        # How many steps such tiles have was not timed.
        and not any(mask.reads_data for mask in shape.masks)
        and _loads_factors_only(shape)
    )


def _is_multiplied(shape: StreamShape) -> bool:
    """Whether wgmma multiplies the factors; those of a byte lie along the sum."""
    elements = [o.element for facts in shape.matmuls for o in facts.inputs]
    kinds = {of.name for of in elements}
    return kinds <= {"bf16", "f16"} or (
        all(of.is_fp8 for of in elements) and len(kinds) == 1 and not shape.across
    )


def _loads_factors_only(shape: StreamShape) -> bool:
    """Whether tiles are loaded of factors only, and are blocks in memory.

    A block of padded features has no other dimension between its rows and them.
    """
    group, matmul = shape.group, shape.stream.matmul
    made = {result for facts in group.ops for result in facts.op.results}
    factors = {o.value for facts in shape.matmuls for o in facts.inputs}
    rows = {group.axis(matmul, loop) for loop in shape.stream.rows}
    is_padded = power_of_two(shape.features) > shape.features
    for facts in group.ops:
        for operand in facts.operands:
            if not operand.is_read or operand.value in made:
                continue
            axes = [None if i is None else group.axis(facts, i) for i in operand.loops]
            if operand.value not in factors and (
                None in axes or (shape.axis in axes and not rows.isdisjoint(axes))
            ):
                return False
            if (
                operand.value in factors
                and is_padded
                and axes[-2] not in {shape.axis, *rows}
            ):
                return False
    return True


def _is_whole(shape: StreamShape) -> bool:
    """Whether all tiles have as many columns."""
    return shape.stream.length % max(COLUMNS) == 0


class RoleStream(RollingStream):
    """The rolling form with a loader and two groups of warps that share the rows.

    Where the last tile is not whole, nothing is delayed.
    """

    label = "roles"

    def __init__(self, shape: StreamShape, target: Target):
        super().__init__(shape, target, cuts=True)
        self.summary = f"warps with roles, one of which loads: {self.summary}"

    def knobs(self) -> Sequence[Knob]:
        """Columns of a step, slots of the rings, and how the groups share the time."""
        overlaps = [Knob("ping_pong", (0, 1)), Knob("pinned", (0, 1))]
        return [
            Knob("BN", COLUMNS),
            Knob("ring", SLOTS),
            *(overlaps if self.is_late else ()),
            Knob("persistent", (0, 1)),
            Knob("ahead", AHEAD),
            Knob("group", MATRICES if self.shape.batch > 1 else (1,)),
        ]

    @property
    def is_late(self) -> bool:
        """Whether the last products of a step are delayed, beside one that makes the
        next elements."""
        return _is_whole(self.shape) and len(self.shape.matmuls) == 2

    def is_valid(self, point: Point) -> bool:
        """A loop is left, shared memory holds the rows, the rings and the results, and
        registers hold the sums, the scores and their weights."""
        work = self.work
        sums = power_of_two(work.features)
        words = sums + point["BN"] * (work.made + work.width / 4)
        if GROUP_ROWS * words / GROUP + OTHER_REGISTERS > REGISTERS:
            return False
        if work.length <= (2 if self.is_late else 1) * point["BN"]:
            return False
        if point["ahead"] > 1 and not point["persistent"]:
            return False
        held = ROWS * (point["ahead"] * work.kept + work.features)
        held += point["ring"] * point["BN"] * work.loaded
        return held * work.width + BARRIERS <= self.target.shared_per_block

    def points(self) -> Iterator[Point]:
        """Groups take turns. Where tiles are unequal, elements are computed first, if
        rows are not loaded ahead (measured with them: 1.03 times as long)."""
        groups = self.knobs()[-1].options
        has_masks = bool(self.shape.masks)
        group = groups[-1] if has_masks else groups[0]
        usual = dict(group=group)
        if self.is_late:
            usual |= dict(ping_pong=1)
        for point in self.all_points():
            if not (usual.items() <= point.items() and self.is_valid(point)):
                continue
            # The next tile's rows have memory that nothing else uses, or none.
            wanted = {**point, "ahead": max(AHEAD)}
            is_ahead = self.is_valid(wanted)
            wanted = wanted if is_ahead else point
            if self.is_late:
                wanted = {**wanted, "pinned": int(has_masks and not is_ahead)}
            if point == wanted:
                yield point

    def conditions(self) -> Sequence[Value]:
        """Only a program that goes on to further tiles loads rows ahead."""
        return (either(equal("ahead", 1), equal("persistent", 1)),)

    def seconds(self, point: Point) -> float:
        """The model's estimate."""
        persistent = bool(point["persistent"])
        group = point["group"]
        tile = RoleTile(ROWS, point["BN"], 0, persistent, group, self.is_late)
        return role_stream_seconds(self.work, tile, self.target)

    def rows(self, lines: Lines) -> Term:
        """Always as many."""
        return ROWS

    def write_loop(self, lines: Lines) -> None:
        """The ring takes the place of a pipeline."""

    def write_trimmed(self, lines: Lines) -> None:
        """Delay the last products, load through a ring, and give the warps roles."""
        knob = lines.knob
        if self.is_late:
            lines.do("delay", "loop", to=("loop",))
        lines.do("stage", "loop", "in", knob("ring"))
        if self.is_late:
            ways = dict(ping_pong=knob("ping_pong"), pinned=knob("pinned"))
            lines.do("overlap", "loop", **ways)
        lines.do("stage", "grid", "in", knob("ahead"))
        lines.do("specialize", "grid", consumers=GROUPS)

    def write_launch(self, lines: Lines) -> None:
        """Descriptors load and store; a program may go on to further tiles."""
        lines.do(
            *("launch", "grid"),
            group=lines.knob("group"),
            persistent=lines.knob("persistent"),
            descriptors=text("where_legal"),
        )
