"""Options of knobs that no step can use, for any payload.

A launch attribute takes only certain values, and a tile has at least one element. A
knob may still list such an option: the schedule then has fewer valid points than it
seems to have, since every point with the option is refused when it runs.

An option is not reported where the requirements exclude it, or where the schedule goes
on after the step is refused (`try`, `suppress`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.errors import Note, UserError
from tilewright.ir.launch_attributes.table import (
    LAUNCH_ATTRIBUTES,
    Kind,
    LaunchAttribute,
)
from tilewright.ir.text import place_of
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.sequence import IncludeOp, SequenceOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.structured.fuse.fuse import FuseOp
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.tuning.space.choices import Point, Value
from tilewright.tuning.space.space import Space

_ROWS = {row.name: row for row in LAUNCH_ATTRIBUTES}


@dataclass(frozen=True)
class _Use:
    """A step that takes a knob's value."""

    step: TransformOp
    knob: KnobOp
    needs: str
    """A description of the condition on the value."""
    unusable: tuple[Value, ...]


def unusable_options(
    module: ModuleOp, space: Space
) -> Iterator[tuple[UserError, bool]]:
    """An error for each use of a knob that has unusable options.

    The flag tells whether no usable option is left, so that no point works.
    """
    suppressed = _suppressed_sequences(module)
    for op in module.walk():
        if not isinstance(op, TransformOp):
            continue
        branches = _branches_around(op, suppressed)
        if branches is None:
            continue
        for use in _uses(op):
            name = use.knob.knob_name.data
            left = [v for v in use.unusable if _is_open(space, {**branches, name: v})]
            if left:
                hopeless = not branches and len(left) == len(use.knob.values)
                yield _warning(use, left), hopeless


def _warning(use: _Use, values: list[Value]) -> UserError:
    name = use.knob.knob_name.data
    shown = " or ".join(f"{name} = {value}" for value in values[:4])
    if len(values) > 4:
        shown += f" or {len(values) - 4} other options"
    return UserError(
        f"{use.step.title()}: no point with {shown} works; {use.needs}",
        place_of(use.step),
        "remove the option, or exclude it with 'require'",
        [Note(f"the options of '{name}' are listed here", place_of(use.knob))],
    )


def _uses(op: TransformOp) -> Iterator[_Use]:
    if isinstance(op, AnnotateOp):
        row = _ROWS.get(op.annotation.data)
        if row is not None and op.param is not None:
            needs = f"'{op.word}' takes {row.values}"
            yield from _use(op, op.param, needs, lambda value: _takes(row, value))
        return
    if isinstance(op, TileUsingForOp):
        # A size of 0 makes no loop, but the step has a result for the loop.
        sizes, least = op.dynamic_sizes, 1
    elif isinstance(op, TileUsingForallOp):
        # With a mapping, each size makes a dimension of the grid.
        sizes, least = op.tile_sizes, int(op.mapping is not None)
    elif isinstance(op, FuseOp):
        sizes, least = op.tile_sizes, 0
    else:
        return
    needs = f"a tile size is at least {least} here"
    for size in dict.fromkeys(sizes):
        yield from _use(op, size, needs, lambda v: not isinstance(v, int) or v >= least)


def _use(
    op: TransformOp, param: SSAValue, needs: str, works: Callable[[Value], bool]
) -> Iterator[_Use]:
    knob = param.owner
    if isinstance(knob, KnobOp) and knob.selected is None:
        unusable = tuple(value for value in knob.values if not works(value))
        if unusable:
            yield _Use(op, knob, needs, unusable)


def _takes(row: LaunchAttribute, value: Value) -> bool:
    match row.kind:
        case Kind.NUMBER | Kind.FLAG:
            return isinstance(value, int) and row.legal(value)
        case Kind.WORD:
            return value in row.words
        case Kind.WORDS:
            return True


def _branches_around(op: Operation, suppressed: set[Operation]) -> Point | None:
    """The branches that lead to an op; None if its refusal is suppressed."""
    branches: Point = {}
    inner, outer = op, op.parent_op()
    while outer is not None:
        if isinstance(outer, TryOp) or outer in suppressed:
            return None
        if isinstance(outer, AlternativesOp):
            region = inner.parent_region()
            assert region is not None
            taken = outer.alternatives.index(region)
            selected = outer.selected_region_attr
            if selected is None:
                branches[outer.alternatives_name.data] = outer.labels[taken]
            elif selected.value.data != taken:
                return None
        inner, outer = outer, outer.parent_op()
    return branches


def _suppressed_sequences(module: ModuleOp) -> set[Operation]:
    """The sequences that go on after a step is refused."""
    found: set[Operation] = set()
    names: set[str] = set()
    for op in module.walk():
        if isinstance(op, SequenceOp) and suppresses(op.failure_propagation_mode):
            found.add(op)
        if isinstance(op, IncludeOp) and suppresses(op.failure_propagation_mode):
            names.add(op.target.string_value())
    return found | {
        op
        for op in module.ops
        if isinstance(op, NamedSequenceOp) and op.sym_name.data in names
    }


def _is_open(space: Space, picks: Point) -> bool:
    """Whether a valid point may have these values."""
    if any(name not in space.choices for name in picks):
        return False
    try:
        return next(space.points(picks), None) is not None
    except UserError:
        # The bounded search could not decide.
        return False
