"""The tile of a program: from program ids to the indices of the grid."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.codegen.analysis.elements.atoms import MAX_I32, Linear
from tilewright.codegen.kernel.accesses import AccessBuilder
from tilewright.codegen.kernel.axes import letter_order
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.launch_axes import LaunchGrid
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.loops import add_hints
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import EachTileOp, GroupedTileOp, ProgramIdOp
from tilewright.ir.launch_attributes.table import RING, STAGES
from tilewright.ir.launch_attributes.values import launch_attribute, launch_number


def lower_tiles(
    facts: GridFacts,
    builder: Builder,
    addresses: AccessBuilder,
    lower_tile: Callable[[], None],
) -> None:
    """The work on a tile, or on each tile of a program that loops over them.

    `lower_tile` lowers the ops of the grid.
    """

    def tile(number: SSAValue | None) -> None:
        _tile_indices(facts, builder, number)
        _offset_vectors(facts, addresses)
        lower_tile()

    layout, grid = facts.layout, facts.grid
    if not layout.persistent:
        tile(None)
        return
    body = Block(arg_types=[i32])
    body.args[0].name_hint = "tile"
    with builder.inside(body):
        tile(body.args[0])
    first = builder.add(ProgramIdOp(0), hint="pid")
    count = None if layout.is_static else _count(builder, "TILES", layout.tiles)
    made = EachTileOp(first, count, Region(body))
    add_hints(made, grid)
    stages = launch_attribute(grid, STAGES)
    if stages is not None and stages > 1:
        made.attributes[STAGES] = IntegerAttr(stages, i64)
    if slots := launch_number(grid, RING):
        made.attributes[RING] = IntegerAttr(slots, i64)
    builder.add(made, like=grid)


def _tile_indices(facts: GridFacts, builder: Builder, number: SSAValue | None) -> None:
    """Compute the index of the program's tile, one value for each grid loop.

    `number` is the number of the tile if a loop counts tiles.
    """
    layout, axes = facts.layout, facts.axes
    atoms = [facts.atom_of(value) for value in facts.grid.induction_vars]
    letters = [axes.letter_of_atom(atom) for atom in atoms]
    hints = [f"tile_{letter.lower()}" if letter else "tile" for letter in letters]
    if layout.axes is not None:
        values = [builder.add(ProgramIdOp(axis)) for axis in layout.axes]
    elif layout.has_last_apart:
        last = builder.add(ProgramIdOp(0))
        number = builder.add(ProgramIdOp(1), hint="pid")
        values = [*_unravelled(builder, number, layout.tiles[:-1], letters[:-1]), last]
    else:
        if number is None:
            number = builder.add(ProgramIdOp(0), hint="pid")
        values = (
            _grouped(builder, number, layout, letters)
            if layout.group > 1
            else _unravelled(builder, number, layout.tiles, letters)
        )
    for loop in layout.reversed:
        last = _last_tile(builder, layout.tiles[loop], letters[loop])
        values[loop].name_hint = hints[loop].replace("tile", "pid")
        values[loop] = builder.add(arith.SubiOp(last, values[loop]))
    for atom, value, hint in zip(atoms, values, hints, strict=True):
        value.name_hint = hint
        builder.atoms[atom] = value


def _last_tile(builder: Builder, tiles: Linear, letter: str | None) -> SSAValue:
    """The number of the last tile along a loop of the grid."""
    count = _count(builder, f"TILES_{letter}" if letter else "TILES", (tiles,))
    return builder.add(arith.SubiOp(count, builder.integer(1)))


def _offset_vectors(facts: GridFacts, addresses: AccessBuilder) -> None:
    """Make the index vectors first, rows before columns; unused ones are removed.

    Those whose places are data follow where they are used: nothing is loaded yet.
    """
    places = [
        (facts.axes.letter_of(access.op, dim), access, dim)
        for access in facts.accesses.values()
        for dim, lane in enumerate(access.lanes)
        if lane is not None and not access.starts[dim].up_to(facts.home).reads_data
    ]
    for _, access, dim in sorted(places, key=lambda place: letter_order(place[0])):
        addresses.offsets(access, dim)


def _grouped(
    builder: Builder,
    number: SSAValue,
    layout: LaunchGrid,
    letters: list[str | None],
) -> list[SSAValue]:
    *outer, rows, columns = layout.tiles
    names = [letter or str(loop) for loop, letter in enumerate(letters)][-2:]
    indices: list[SSAValue] = []
    if outer:
        tiles = _count(builder, "TILES_OF_ONE", (rows, columns))
        rest = builder.add(arith.FloorDivSIOp(number, tiles), hint="rest")
        indices = _unravelled(builder, rest, tuple(outer), letters[: len(outer)])
        number = builder.add(arith.RemSIOp(number, tiles), hint="place_in_batch")
    tiles_of_rows = _count(builder, f"TILES_{names[0]}", (rows,))
    tiles_of_columns = _count(builder, f"TILES_{names[1]}", (columns,))
    height = builder.axes.other(f"GROUP_{names[0]}", layout.group)
    group = builder.named(height, layout.group)
    # The tiles of a full group must fit, even if there are fewer rows.
    fits = columns.high * layout.group <= MAX_I32
    width = i32 if fits else i64
    operands = [
        builder.resize(value, width, builder.level)
        for value in (number, tiles_of_rows, tiles_of_columns, group)
    ]
    op = GroupedTileOp(*operands)
    builder.add(op)
    return [*indices, *op.results]


def _unravelled(
    builder: Builder,
    rest: SSAValue,
    tiles: tuple[Linear, ...],
    letters: list[str | None],
) -> list[SSAValue]:
    values: list[SSAValue] = []
    for extent, letter in reversed(list(zip(tiles, letters, strict=True))[1:]):
        if extent == Linear({}, 1):
            values.append(builder.integer(0))
            continue
        name = f"TILES_{letter}" if letter else "TILES"
        count = _count(builder, name, (extent,))
        values.append(builder.add(arith.RemSIOp(rest, count)))
        rest = builder.add(arith.FloorDivSIOp(rest, count), hint="rest")
    return [rest, *reversed(values)]


def _count(builder: Builder, name: str, extents: tuple[Linear, ...]) -> SSAValue:
    """The number of tiles: a named constant, or computed outside loops.

    It has 32 bits, as the number of a program has.
    """
    if all(extent.is_constant for extent in extents):
        count = math.prod(extent.constant for extent in extents)
        return builder.named(builder.axes.other(name, count), count)

    def compute() -> SSAValue:
        total = builder.scalar(extents[0])
        for extent in extents[1:]:
            total = builder.times(total, builder.scalar(extent), 0)
        return builder.resize(total, i32, 0)

    total = builder.once(("count", extents), 0, compute)
    if isinstance(total.owner, Operation):
        total.name_hint = name.lower()
    return total
