"""What the runs of a check show over all points: empty matches and oversized tiles.

A match that finds ops at some point and none at another serves both, and so does a tile
size with a smaller option. Only what holds at every point that was run is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.check_schedule.findings import Findings, Severity, add_note
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.tensor import ExtractSliceOp
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import place_of
from tilewright.schedules.check.unused import UnusedResult
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.absent import AbsentOps
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.match_role import MatchRoleOp
from tilewright.transforms.interpreter import ScheduleRun, Step
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.tile.tiling_checks import numbers_of
from tilewright.tuning.space.choices import Point

_SMALLEST = 16
"""The smallest side of a tile that tensor cores multiply."""


@dataclass(frozen=True)
class _Oversized:
    """A size of a tile that is larger than its loop."""

    loop: int
    size: int
    extent: int


class Watch:
    """Collects what each run shows, and reports it at the end."""

    def __init__(self) -> None:
        self._found: set[str] = set()
        """Places of matches that found ops."""
        self._absent: list[tuple[Point, AbsentOps]] = []
        self._tiles: dict[str, list[tuple[TransformOp, list[_Oversized]]]] = {}

    def follow(self, run: ScheduleRun) -> None:
        """Watch a run that has not begun."""

        def after(op: TransformOp, step: Step | None) -> None:
            if run.finishing:
                return
            if isinstance(op, MatchOp | MatchRoleOp):
                if run.state.payload_ops(op.results[0]):
                    self._found.add(str(place_of(op)))
            elif isinstance(op, TileUsingForOp | TileUsingForallOp):
                oversized = list(_oversized(op, run.state))
                self._tiles.setdefault(str(place_of(op)), []).append((op, oversized))

        run.after_each = after

    def warnings(self, run: ScheduleRun, point: Point) -> list[UserError]:
        """The warnings of a run but for empty matches, which are kept for the end."""
        others: list[UserError] = []
        for warning in run.warnings:
            if isinstance(warning, AbsentOps):
                self._absent.append((point, warning))
            else:
                others.append(warning)
        return others

    def report(self, findings: Findings) -> None:
        """Add what holds at every point to the findings."""
        for _, error in self._absent:
            findings.drop(error.place, UnusedResult)
        known = [findings.has_place(error.place) for _, error in self._absent]
        for (point, error), is_known in zip(self._absent, known, strict=True):
            if is_known:
                continue  # a check without a run has reported this line
            is_error = str(error.place) not in self._found
            findings.add(Severity.ERROR if is_error else Severity.WARNING, error, point)
        for runs in self._tiles.values():
            if all(oversized for _, oversized in runs):
                op, oversized = runs[0]
                findings.add(Severity.WARNING, _too_large(op, oversized))


def _too_large(op: TransformOp, oversized: Sequence[_Oversized]) -> UserError:
    told = " and ".join(
        f"size {one.size} is larger than loop {one.loop} of extent {one.extent}"
        for one in oversized
    )
    most = ", ".join(dict.fromkeys(str(_largest(one.extent)) for one in oversized))
    return UserError(
        f"{op.title()}: {told}",
        place_of(op),
        f"most of each tile would be masked off; give at most {most}",
    )


def _oversized(
    op: TileUsingForOp | TileUsingForallOp, state: TransformState
) -> Iterator[_Oversized]:
    """The sizes that are larger than every extent of their loop."""
    tiled = [
        one for one in state.payload_ops(op.tiled_op) if isinstance(one, StructuredOp)
    ]
    for loop, size in enumerate(_sizes(op, state)):
        extents = [_extent(one, loop) for one in tiled]
        if extents and min(extents) > 0 and size > _largest(max(extents)):
            yield _Oversized(loop, size, max(extents))


def _extent(tiled: StructuredOp, loop: int) -> int:
    """The extent of a loop before it was tiled: that of what the tile is cut from."""
    for operand, dim in tiled.dims_of_loop(loop):
        cut = operand.owner
        if isinstance(cut, ExtractSliceOp):
            whole = shape_of(cut.source.type)
            if len(whole) == len(shape_of(operand.type)):
                return whole[dim]
    return DYNAMIC_INDEX


def _largest(extent: int) -> int:
    """The largest size that is not wasted: the next power of two, at least 16."""
    return max(_SMALLEST, 1 << (extent - 1).bit_length())


def _sizes(op: TileUsingForOp | TileUsingForallOp, state: TransformState) -> list[int]:
    """The sizes of the tiles; 0 where a size is not a number."""
    if isinstance(op, TileUsingForallOp):
        static, dynamic = op.static_tile_sizes, iter(op.tile_sizes)
        if op.counts_tiles:
            return []
    else:
        static, dynamic = op.static_sizes, iter(op.dynamic_sizes)
    return [
        _number(next(dynamic), state) if size == DYNAMIC_INDEX else size
        for size in numbers_of(static)
    ]


def _number(param: SSAValue, state: TransformState) -> int:
    values = state.params(param)
    return (
        values[0].value.data if len(values) == 1 and isa(values[0], IntegerAttr) else 0
    )


# -- several ops where one is needed -------------------------------------------------


def explained(run: ScheduleRun, error: UserError) -> UserError:
    """The error with the match that found several ops where the step needs one."""
    failed = run.failure
    if failed is None or failed.error.place != error.place:
        return error
    for operand in reversed(failed.op.operands):
        number = len(run.state.payload_ops(operand))
        match = _origin(operand)
        if number < 2 or match is None or "one" not in error.fact.split():
            continue
        name = match.results[0].name_hint or "h"
        fact = f"this match finds {count(number, 'op')}"
        if error.remedy is None:
            error = UserError(
                error.fact,
                error.place,
                f"choose one of them: {name} = pick {name} at [0]",
                error.notes,
            )
        return add_note(error, fact, place_of(match))
    return error


def _origin(handle: SSAValue) -> Operation | None:
    """The match that a handle comes from, through steps that return what they make."""
    owner = handle.owner
    while isinstance(owner, TransformOp) and owner.operands:
        if isinstance(owner, MatchOp | MatchRoleOp):
            return owner
        owner = owner.operands[0].owner
    return None
