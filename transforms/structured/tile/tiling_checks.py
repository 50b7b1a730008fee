"""What every tiling requires: at a run, and of the text before it.

`check_tiling` and `check_mapping` refuse payload. The `wrong_...` functions find
mistakes that show before a run, where the kind of the target is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.linalg import (
    IteratorType,
    Linalg,
    NamedContractionOp,
)
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import (
    Extent,
)
from tilewright.transforms.core.foreseen import GRID, LOOP, KnownBefore
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.tile.interface.table import tiling_of
from tilewright.transforms.structured.tile.interface.tiling import Tiling

LOOPS: Mapping[str, tuple[IteratorType, ...]] = {
    op.name: tuple(kind.data for kind in op.CONTRACTION.iterator_types)
    for op in Linalg.operations
    if issubclass(op, NamedContractionOp)
}
"""The loops of the ops for which they are fixed."""


def check_mapping(
    user: TransformOp, op: Operation, mapping: ArrayAttr[Attribute], loops: int
) -> None:
    """Refuse a mapping without a different dimension for each loop.

    Loops may be mapped to threads: code generation refuses them, tiling does not care.
    """
    if len(mapping) != loops:
        raise user.refuse(
            f"the mapping has {len(mapping)} entries for {loops} tiled loops",
            op,
            remedy="give one entry for each tiled loop",
        )
    if len(set(mapping)) != len(mapping):
        raise user.refuse(
            "two loops are mapped to the same dimension",
            op,
            remedy="give each loop a dimension of its own",
        )


def check_tiling(
    user: TransformOp,
    op: Operation,
    sizes: Sequence[Extent],
    state: TransformState | None = None,
) -> tuple[Tiling, list[Extent]]:
    """Check what every tiling requires; how to tile, and a size for every loop.

    With `state`, a doubt may be a warning.
    """
    tiling = tiling_of(op)
    if tiling is None:
        raise user.refuse(f"'{op.name}' cannot be tiled", op, "match a linalg op")
    loops = len(tiling.iterators)
    if len(sizes) > loops:
        raise user.refuse(
            f"{len(sizes)} tile sizes for an op with {loops} loops",
            op,
            remedy="give at most one size for each loop",
        )
    cut = [loop for loop, size in enumerate(sizes) if size != 0]
    check_cut(user, tiling, cut, state)
    return tiling, [*sizes, *([0] * (loops - len(sizes)))]


def check_cut(
    user: TransformOp,
    tiling: Tiling,
    loops: Sequence[int],
    state: TransformState | None = None,
) -> None:
    """Refuse to cut loops that have no tiles."""
    if (refusal := tiling.why_not(loops)) is not None:
        failure = user.refuse(refusal.fact, tiling.op, refusal.remedy)
        if state is None or not refusal.is_doubt:
            raise failure
        state.doubt(user, failure)


def numbers_of(sizes: DenseArrayBase[IntegerType] | None) -> list[int]:
    """The sizes of a list, with markers for parameters."""
    return [] if sizes is None else [int(size) for size in sizes.get_values()]


def wrong_sizes(
    op: TransformOp,
    target: SSAValue,
    sizes: Sequence[int],
    known: KnownBefore,
    *,
    verb: str = "tile",
    exact: bool = False,
) -> Iterator[UserError]:
    """Too many sizes, with `exact` too few as well, or a loop as the target."""
    kind = known.kind(target)
    if kind is None:
        return
    if kind in GRID | LOOP:
        yield UserError(
            f"{verb}: this handle points at a loop ({kind})",
            place_of(op),
            "give the op inside it",
        )
        return
    loops = LOOPS.get(kind)
    if loops is None or not sizes:
        return
    if len(sizes) > len(loops) or (exact and len(sizes) < len(loops)):
        yield UserError(
            f"{verb}: {count(len(sizes), 'size')} for the "
            f"{count(len(loops), 'loop')} of {kind}",
            place_of(op),
            f"give {'' if exact else 'at most '}{len(loops)}",
        )


def wrong_grid(
    op: TransformOp,
    target: SSAValue,
    sizes: Sequence[int],
    mapping: ArrayAttr[Attribute] | None,
    known: KnownBefore,
) -> Iterator[UserError]:
    """A mapping that does not fit the sizes, or a reduction among the tiled loops."""
    tiled = [position for position, size in enumerate(sizes) if size != 0]
    if mapping is not None and sizes and len(mapping) != len(tiled):
        yield UserError(
            f"tile: {count(len(tiled), 'tiled loop')} onto "
            f"{count(len(mapping), 'dimension')} of the grid",
            place_of(op),
            "give one dimension for each size that is not 0",
        )
    if mapping is not None and len(set(mapping)) < len(mapping):
        yield UserError(
            "tile: a dimension of the grid is used twice",
            place_of(op),
            "give each tiled loop a dimension of its own, such as block.y and block.x",
        )
    kind = known.kind(target) or ""
    loops = LOOPS.get(kind, ())
    for position in tiled:
        if position < len(loops) and loops[position] == IteratorType.REDUCTION:
            yield UserError(
                f"tile: loop {position} of {kind} is a reduction, a grid cannot cut it",
                place_of(op),
                "give it size 0 here, and tile it without 'onto' afterwards",
            )


def wrong_loops(
    op: TransformOp, sizes: Sequence[int], loops: int
) -> Iterator[UserError]:
    """Another number of loop handles than loops; an unknown size counts as a loop."""
    made = sum(1 for size in sizes if size != 0)
    if made != loops:
        yield UserError(
            f"tile: {count(made, 'loop')} for {count(loops, 'loop handle')}",
            place_of(op),
            "bind one for each size that is not 0",
        )
